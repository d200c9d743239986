"""What must be refused, tried against the real server: raw requests, foreign pages, stolen secrets, old answers."""

import shutil
from pathlib import Path

import httpx
import pytest

from tests.agent.console.house import House

READS = (
    "/api/phones", "/api/questions", "/api/journal", "/api/silences?newest=1&oldest=1", "/api/context", "/api/memory",
    "/api/learnt", "/api/statistics", "/api/settings", "/api/events", "/api/clarifications",
)  # fmt: skip
CHANGES = (
    "/api/questions/1", "/api/actions/1/undo", "/api/journal/1/replay", "/api/journal/1/forget", "/api/memory/lift",
    "/api/phones/x/look", "/api/screen/x/touch", "/api/sessions/end",
    "/api/request", "/api/clarifications/1",
)  # fmt: skip


async def low_battery(house: House, client: httpx.AsyncClient) -> dict[str, object]:
    house.phone.state.battery.set(level=15, charger="none")
    return await house.question(client)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
async def test_a_foreign_host_is_refused_even_with_a_session(house: House, host: str) -> None:
    port = house.host.partition(":")[2]
    async with house.signed_in() as client:
        for path in ("/", "/words", "/static/main.js", "/api/journal"):
            answer = await client.get(path, headers={"Host": host.format(port=port)})
            assert answer.status_code in (400, 403), (path, host)
            assert "heed-" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "https://{host}", "null"])
async def test_a_foreign_origin_is_refused_even_with_a_session(house: House, origin: str) -> None:
    async with house.signed_in() as client:
        forged = {"Origin": origin.format(host=house.host)}
        assert (await client.get("/api/journal", headers=forged)).status_code == 403
        assert (await client.post("/api/memory/lift", json={"subject": "x"}, headers=forged)).status_code == 403


async def test_a_change_must_name_its_origin_and_a_cross_site_request_is_refused(house: House) -> None:
    async with house.signed_in() as client:
        del client.headers["Origin"]
        assert (await client.post("/api/memory/lift", json={"subject": "x"})).status_code == 403
        for site in ("cross-site", "same-site"):
            assert (await client.get("/api/journal", headers={"Sec-Fetch-Site": site})).status_code == 403


async def test_without_a_session_there_is_only_the_empty_page(house: House) -> None:
    async with house.client() as client:
        assert (await client.get("/")).status_code == 200
        for path in READS:
            assert (await client.get(path)).status_code == 401
        for path in CHANGES:
            assert (await client.post(path, json={})).status_code == 401
        for path in ("/docs", "/openapi.json", "/redoc", "/consent/question"):
            assert (await client.get(path)).status_code == 404


async def test_a_link_works_once_and_its_cookie_is_for_the_page_alone(house: House) -> None:
    token = house.console.link().partition("#")[2]
    async with house.client() as mine, house.client() as thief:
        first = await mine.post("/api/session", json={"token": token})
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert (await thief.post("/api/session", json={"token": token})).status_code == 401
        assert (await thief.post("/api/session", json={"token": "guess"})).status_code == 401


async def test_a_stolen_cookie_and_a_stolen_key_open_nothing_alone(house: House) -> None:
    async with house.signed_in() as mine, house.client() as thief:
        for name, value in mine.cookies.items():
            thief.cookies.set(name, value)
        assert (await thief.get("/api/journal")).status_code == 401
        assert (await thief.get("/api/journal", headers={"X-Heed-Key": "guess"})).status_code == 401
        thief.cookies.clear()
        assert (await thief.get("/api/journal", headers={"X-Heed-Key": mine.headers["X-Heed-Key"]})).status_code == 401


async def test_a_consent_cannot_be_replayed_or_moved_to_another_plan(house: House) -> None:
    async with house.signed_in() as client:
        question = await low_battery(house, client)
        path = f"/api/questions/{question['plan_id']}"
        wrong = await client.post(path, json={"plan_hash": "0" * 64, "answer": "once"})
        assert wrong.status_code == 409
        right = {"plan_hash": question["plan_hash"], "answer": "once"}
        assert (await client.post(path, json=right)).json() == {"answer": "once", "channel": "console"}
        replayed = await client.post(path, json=right)
        assert replayed.status_code == 409
        assert "over" in replayed.json()["error"]
        await house.until(lambda: house.phone.state.power.saver)
    actions = [action for entry in house.runtime.stores.journal.timeline() for action in entry.actions]
    assert len(actions) == 1


async def test_a_frame_is_served_only_from_its_own_decision_and_folder(house: House) -> None:
    async with house.signed_in() as client:
        await low_battery(house, client)
        frame = (await client.get("/api/context")).json()["frames"][0]["sha256"]
        base = "/api/journal/1/frames"
        shown = await client.get(f"{base}/{frame}")
        assert (shown.status_code, shown.headers["content-type"]) == (200, "image/jpeg")
        outside = (
            f"{base}/..%2f..%2fjournal.sqlite3", f"{base}/%2e%2e/%2e%2e/journal.sqlite3", f"{base}/{'0' * 64}",
            f"{base}/{frame}.jpg", f"{base}/{frame}%00", "/static/../console.py", "/static/%2e%2e/console.py",
            "/static/..%2fconsole.py", "/static//etc/passwd",
        )  # fmt: skip
        for path in outside:
            assert (await client.get(path)).status_code in (400, 403, 404), path
        folder = house.runtime.config.collectors.frames_folder
        shutil.move(folder, folder.with_name("elsewhere"))
        folder.symlink_to(folder.with_name("nowhere"))
        assert (await client.get(f"{base}/{frame}")).status_code == 400


async def test_every_answer_forbids_scripts_frames_sniffing_and_caches(house: House) -> None:
    async with house.client() as client:
        for path in ("/", "/static/main.js", "/api/journal", "/nothing"):
            headers = (await client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "require-trusted-types-for 'script'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"
            assert headers["x-frame-options"] == "DENY"
            assert "access-control-allow-origin" not in headers
            assert "server" not in headers


async def test_a_huge_request_and_nonsense_are_refused_and_the_daemon_lives(house: House) -> None:
    async with house.signed_in() as client:
        assert (await client.post("/api/memory/lift", json={"subject": "x" * 100_000})).status_code in (413, 422)
        assert (await client.post("/api/questions/1", content=b"{", headers={})).status_code in (400, 422)
        assert (await client.get("/api/journal/99999")).status_code == 400
        assert (await client.get("/api/screen/no-such-phone")).status_code == 400
        assert (await client.post("/api/actions/99999/undo", json={})).status_code == 400
        assert (await client.get("/api/phones")).json()[0]["state"] == "monitored"


async def test_it_listens_on_loopback_only(house: House) -> None:
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("only Linux lists its sockets in /proc")
    port = int(house.host.partition(":")[2])
    listening = [line.split()[1] for line in table.read_text().splitlines() if f":{port:04X} 00000000:0000 0A" in line]
    assert listening == [f"0100007F:{port:04X}"]
