-- AOSP packages/apps/Messaging, DatabaseHelper.java, from which Google's Messages descends; is_spam is read by KnowU-Bench
-- (tasks/definitions/routine/scam_sm_intercept.py). Only the columns that the phone's state can fill.
CREATE TABLE participants (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, sub_id INT DEFAULT(-2), normalized_destination TEXT, send_destination TEXT,
  display_destination TEXT, full_name TEXT, first_name TEXT, contact_id INT DEFAULT(-1), blocked INT DEFAULT(0),
  is_spam INT DEFAULT(0)
);
CREATE TABLE conversations (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, sms_thread_id INT DEFAULT(0), name TEXT, snippet_text TEXT,
  sort_timestamp INT DEFAULT(0), archive_status INT DEFAULT(0), participant_count INT DEFAULT(0),
  participant_normalized_destination TEXT
);
