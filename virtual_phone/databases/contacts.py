"""``contacts2.db``: the contacts provider's raw contacts and their data."""

from virtual_phone.databases.mapping import MappedDatabase, MappedTable, TableRow
from virtual_phone.state import PhoneState
from virtual_phone.state.people import EMAIL_TYPE, NAME_TYPE, PHONE_TYPE, ContactData, RawContact

_KNOWN_TYPES = (
    EMAIL_TYPE, "vnd.android.cursor.item/im", "vnd.android.cursor.item/nickname",
    "vnd.android.cursor.item/organization", PHONE_TYPE, "vnd.android.cursor.item/sip_address", NAME_TYPE,
    "vnd.android.cursor.item/postal-address_v2", "vnd.android.cursor.item/identity", "vnd.android.cursor.item/photo",
    "vnd.android.cursor.item/group_membership", "vnd.android.cursor.item/note", "vnd.android.cursor.item/website",
)  # fmt: skip
"""The types that the provider enters when it makes the database (``ContactsDatabaseHelper.loadMimeTypes``)."""
_COLUMNS = tuple(f"data{number}" for number in range(1, 16))


def _types(state: PhoneState) -> list[str]:
    used = [row.mimetype for contact in state.contacts.raw for row in contact.data]
    return list(dict.fromkeys([*_KNOWN_TYPES, *used]))


def _mimetypes(state: PhoneState) -> list[TableRow]:
    return [{"_id": number, "mimetype": name} for number, name in enumerate(_types(state), start=1)]


def _account_pairs(state: PhoneState) -> list[tuple[str | None, str | None]]:
    used = [(contact.account_name, contact.account_type) for contact in state.contacts.raw]
    return list(dict.fromkeys([(None, None), *used]))


def _accounts(state: PhoneState) -> list[TableRow]:
    return [
        {"_id": number, "account_name": name, "account_type": kind}
        for number, (name, kind) in enumerate(_account_pairs(state), start=1)
    ]


def _raw_contacts(state: PhoneState) -> list[TableRow]:
    pairs = _account_pairs(state)
    return [
        {
            "_id": contact.identifier,
            "account_id": pairs.index((contact.account_name, contact.account_type)) + 1,
            "contact_id": contact.identifier,
            "starred": int(contact.starred),
            "display_name": contact.name,
            "display_name_alt": contact.name,
            "sort_key": contact.name,
            "version": len(contact.data) + 1,
        }
        for contact in state.contacts.raw
    ]


def _put_raw_contact(state: PhoneState, row: TableRow) -> None:
    if row["deleted"]:
        state.contacts.remove(int(row["_id"] or 0))
        return
    old = state.contacts.find(int(row["_id"] or 0))
    pairs = dict(enumerate(_account_pairs(state), start=1))
    name, kind = pairs.get(int(row["account_id"] or 1), (None, None))
    state.contacts.put(
        RawContact.model_validate(
            {
                "identifier": row["_id"],
                "account_name": name,
                "account_type": kind,
                "starred": bool(row["starred"]),
                "data": old.data if old else [],
            }
        )
    )


def _contacts(state: PhoneState) -> list[TableRow]:
    return [
        {
            "_id": contact.identifier,
            "name_raw_contact_id": contact.identifier,
            "starred": int(contact.starred),
            "has_phone_number": int(bool(contact.first(PHONE_TYPE))),
            "lookup": f"0r{contact.identifier}",
        }
        for contact in state.contacts.raw
    ]


def _data(state: PhoneState) -> list[TableRow]:
    types = _types(state)
    return [
        {
            "_id": row.identifier,
            "mimetype_id": types.index(row.mimetype) + 1,
            "raw_contact_id": contact.identifier,
            **{column: row.values.get(column) for column in _COLUMNS},
        }
        for contact in state.contacts.raw
        for row in contact.data
    ]


def _put_data(state: PhoneState, row: TableRow) -> None:
    mimetype = dict(enumerate(_types(state), start=1)).get(int(row["mimetype_id"] or 0))
    values = {column: str(row[column]) for column in _COLUMNS if row[column] is not None}
    data = ContactData.model_validate({"identifier": row["_id"], "mimetype": mimetype, "values": values})
    if not state.contacts.put_data(int(row["raw_contact_id"] or 0), data):
        raise ValueError("FOREIGN KEY constraint failed")


DATABASE = MappedDatabase(
    "/data/data/com.android.providers.contacts/databases/contacts2.db",
    "contacts2.sql",
    (
        MappedTable("accounts", _accounts),
        MappedTable("mimetypes", _mimetypes),
        MappedTable("raw_contacts", _raw_contacts, _put_raw_contact, lambda state, key: state.contacts.remove(key)),
        MappedTable("data", _data, _put_data, lambda state, key: state.contacts.remove_data({key})),
        MappedTable("contacts", _contacts),
    ),
)
