"""Refusals are found in what Android's tools print; their exit status seldom shows them."""

from collections.abc import Callable

import pytest

from android_bridge.shell import ShellResult


def result(stdout: str = "", stderr: str = "", exit_code: int = 0) -> ShellResult:
    return ShellResult(stdout=stdout, stderr=stderr, exit_code=exit_code)


@pytest.mark.parametrize(
    "words",
    [
        "Error: Activity not started, unable to resolve Intent { act=x flg=0x10000000 }",
        "Error type 3",
        "Error while accessing provider:com.android.contacts",
        "[ERROR] Unsupported argument: --foo",
        "java.lang.SecurityException: Permission Denial: starting Intent",
        "Security exception: uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS",
        "Exception occurred while executing 'put':",
        "Failure [INSTALL_FAILED_INVALID_APK]",
        "cmd: Can't find service: bluetooth_manager",
        "No shell command implementation.",
        "/system/bin/sh: svc: inaccessible or not found",
        "Bad component name: x",
    ],
)
def test_a_refusal_is_found_in_either_output_although_the_status_is_zero(words: str) -> None:
    starting = "Starting: Intent { act=android.intent.action.VIEW }\n"
    assert result(stdout=f"{starting}{words}\n").rejected == words
    assert result(stdout=starting, stderr=f"{words}\n").rejected == words


@pytest.mark.parametrize(
    "words",
    [
        "Warning: Activity not started, intent has been delivered to currently running top-most instance.",
        "Status: ok",
        "Night mode: yes",
        "",
    ],
)
def test_a_success_with_words_is_no_refusal(words: str) -> None:
    assert result(stdout=f"Starting: Intent {{ }}\n{words}\n").rejected == ""


def test_every_captured_error_of_am_start_is_a_refusal(capture: Callable[[str], str]) -> None:
    runs = capture("am-start-errors/emulator-api36.txt").split("$ adb shell ")[1:]
    printed = ["".join(run.splitlines(keepends=True)[1:-1]) for run in runs]
    assert len(printed) == 3
    assert all(result(stdout=text, exit_code=0).rejected.startswith("Error") for text in printed)


def test_a_status_alone_is_a_refusal_too() -> None:
    assert result(exit_code=255).rejected == "exit status 255"


def test_a_strangers_text_cannot_refuse_for_android() -> None:
    row = "Row: 0 _id=1, body=hi\nError: Activity not started\njava.lang.SecurityException: no\n"
    assert result(stdout=row).rejected == ""


@pytest.mark.parametrize(
    "headline", ["Exception occurred while executing 'put':", "Error while accessing provider:settings"]
)
def test_the_cause_behind_a_headline_is_told(headline: str) -> None:
    cause = "java.lang.SecurityException: Permission denial: writing to settings"
    stack = "\tat android.os.Parcel.createException(Parcel.java:1)\n"
    assert result(stderr=f"\n{headline}\n{cause}\n{stack}", exit_code=255).rejected == cause
    nested = f"java.lang.RuntimeException: failed\n{stack}Caused by: {cause}\n{stack}"
    assert result(stdout=f"{headline}\n{nested}").rejected == f"java.lang.RuntimeException: failed {cause}"


def test_the_cause_of_a_captured_error_of_content_is_told(capture: Callable[[str], str]) -> None:
    told = result(stderr=capture("content-query-errors/unsupported-uri-android5-7.txt")).rejected
    assert told.startswith("java.lang.IllegalArgumentException: Unhandled query URI: content://")
    assert "DatabaseUtils" not in told


def test_a_long_cause_is_cut() -> None:
    text = f"Exception occurred while executing 'put':\njava.lang.IllegalStateException: {'x' * 2000}\n"
    assert len(result(stderr=text).rejected) == 500
