"""Which databases a phone has, and the folders of its apps' data."""

from virtual_phone.databases import alarms, browsing, calendar, calls, contacts, messages, messaging_app
from virtual_phone.databases.mapping import StateDatabase
from virtual_phone.state import PhoneState

_DATABASES = (
    messages.DATABASE,
    contacts.DATABASE,
    calls.DATABASE,
    calendar.DATABASE,
    alarms.DATABASE,
    browsing.DATABASE,
    messaging_app.DATABASE,
)


def mount_databases(state: PhoneState) -> None:
    """Put the databases that show the state into the phone's file system."""
    for database in _DATABASES:
        state.files.state_files[database.path] = StateDatabase(state, database)
        state.files.ensure_directory(database.path.rpartition("/")[0])
