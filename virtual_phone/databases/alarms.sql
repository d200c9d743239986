-- AOSP packages/apps/DeskClock, ClockDatabaseHelper.java (database version 8), and the columns that Google's clock adds:
-- blackout_end is read by KnowU-Bench (runtime/app_helpers/system.py) on Google's emulator image.
CREATE TABLE alarm_templates (
  _id INTEGER PRIMARY KEY, hour INTEGER NOT NULL, minutes INTEGER NOT NULL, daysofweek INTEGER NOT NULL,
  enabled INTEGER NOT NULL, vibrate INTEGER NOT NULL, label TEXT NOT NULL, ringtone TEXT,
  delete_after_use INTEGER NOT NULL DEFAULT 0, blackout_start TEXT, blackout_end TEXT
);
CREATE TABLE alarm_instances (
  _id INTEGER PRIMARY KEY, year INTEGER NOT NULL, month INTEGER NOT NULL, day INTEGER NOT NULL, hour INTEGER NOT NULL,
  minutes INTEGER NOT NULL, vibrate INTEGER NOT NULL, label TEXT NOT NULL, ringtone TEXT,
  alarm_state INTEGER NOT NULL,
  alarm_id INTEGER REFERENCES alarm_templates(_id) ON UPDATE CASCADE ON DELETE CASCADE
);
