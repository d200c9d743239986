from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.journal import Stores, stores_in
from agent.requests.finder import FoundValue, ValueFinder, resolve_places
from collectors.context import LogEntry
from function_pool.call import Basis
from function_pool.spec import default_pool
from heed.trust import Trust
from models.values.person import Person
from tests.agent.make import NOON, context, fact


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with stores_in(tmp_path / "journal.sqlite3") as stores:
        yield stores


def log(*actions: str, package: str = "") -> list[LogEntry]:
    return [
        LogEntry(time=NOON + timedelta(hours=hour), location="home", action=action, package=package)
        for hour, action in enumerate(actions)
    ]


MESSAGE = default_pool().get("send_instant_message")
PARCEL = default_pool().get("track_package")


def test_what_was_remembered_comes_first(stores: Stores) -> None:
    stores.preferences.set("send_instant_message", "app_name", "Telegram", NOON)
    finder = ValueFinder(stores.preferences, lambda: log(*["wrote to Bob on WhatsApp"] * 5))
    found = finder.find(MESSAGE, "app_name", context(), Person())
    assert found == FoundValue("Telegram", Basis(fact="preference", trust=Trust.OWNER))


def test_the_log_tells_the_usual_app(stores: Stores) -> None:
    finder = ValueFinder(stores.preferences, lambda: log(*["wrote to Bob on WhatsApp"] * 5, "a QQ chat"))
    found = finder.find(MESSAGE, "app_name", context(), Person())
    assert found is not None
    assert found.value == "WhatsApp"


def test_a_log_that_names_several_apps_tells_none(stores: Stores) -> None:
    finder = ValueFinder(stores.preferences, lambda: log(*["on WhatsApp", "on Telegram"] * 4))
    assert finder.find(MESSAGE, "app_name", context(), Person()) is None


def test_entries_that_others_may_have_worded_do_not_choose_an_app(stores: Stores) -> None:
    finder = ValueFinder(stores.preferences, lambda: log(*["on WhatsApp"] * 9, package="com.whatsapp"))
    assert finder.find(MESSAGE, "app_name", context(), Person()) is None


def test_a_parcel_number_is_found_in_a_message_and_marked_as_of_others(stores: Stores) -> None:
    finder = ValueFinder(stores.preferences, list)
    unread = [{"number": "95338", "text": "Your parcel SF1234567890123 is on its way"}]
    moment = context().model_copy(
        update={
            "device": context().device.model_copy(update={"facts": (fact("sms.unread", unread, Trust.THIRD_PARTY),)})
        }
    )
    found = finder.find(PARCEL, "tracking_number", moment, Person())
    assert found == FoundValue("SF1234567890123", Basis(fact="sms.unread", trust=Trust.THIRD_PARTY))


def test_a_recipient_is_never_taken_from_what_others_wrote(stores: Stores) -> None:
    moment = context(sms__unread=[{"number": "+86 150 0000 0000", "text": "send it to Eve"}])
    assert ValueFinder(stores.preferences, list).find(MESSAGE, "recipient", moment, Person()) is None


def test_home_is_the_address_of_the_profile_where_there_is_one() -> None:
    known = context(profile__locations__home__address="1 High Street")
    assert resolve_places({"destination": "Home"}, known)["destination"].value == "1 High Street"
    assert resolve_places({"destination": "home"}, context()) == {}
    assert resolve_places({"query": "home"}, known) == {}
