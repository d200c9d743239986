-- AOSP packages/providers/ContactsProvider, CallLogDatabaseHelper.java (February 2025), without voicemail.
CREATE TABLE calls (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT, presentation INTEGER NOT NULL DEFAULT 1,
  post_dial_digits TEXT NOT NULL DEFAULT '', via_number TEXT NOT NULL DEFAULT '', date INTEGER, duration INTEGER,
  data_usage INTEGER, type INTEGER, features INTEGER NOT NULL DEFAULT 0, subscription_component_name TEXT,
  subscription_id TEXT, phone_account_address TEXT, phone_account_hidden INTEGER NOT NULL DEFAULT 0,
  sub_id INTEGER DEFAULT -1, new INTEGER, name TEXT, numbertype INTEGER, numberlabel TEXT, countryiso TEXT,
  is_read INTEGER, geocoded_location TEXT, matched_number TEXT, normalized_number TEXT, formatted_number TEXT,
  add_for_all_users INTEGER NOT NULL DEFAULT 1, last_modified INTEGER DEFAULT 0,
  block_reason INTEGER NOT NULL DEFAULT 0, missed_reason INTEGER NOT NULL DEFAULT 0
);
