-- AOSP packages/providers/CalendarProvider, CalendarDatabaseHelper.java (LineageOS mirror, March 2024), without the columns
-- of synchronization.
CREATE TABLE Calendars (
  _id INTEGER PRIMARY KEY, account_name TEXT, account_type TEXT, dirty INTEGER, name TEXT, calendar_displayName TEXT,
  calendar_color INTEGER, calendar_access_level INTEGER, visible INTEGER NOT NULL DEFAULT 1,
  sync_events INTEGER NOT NULL DEFAULT 0, calendar_location TEXT, calendar_timezone TEXT, ownerAccount TEXT,
  isPrimary INTEGER, canOrganizerRespond INTEGER NOT NULL DEFAULT 1, canModifyTimeZone INTEGER DEFAULT 1,
  maxReminders INTEGER DEFAULT 5, allowedReminders TEXT DEFAULT '0,1', deleted INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE Events (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, _sync_id TEXT, dirty INTEGER, mutators TEXT, lastSynced INTEGER DEFAULT 0,
  calendar_id INTEGER NOT NULL, title TEXT, eventLocation TEXT, description TEXT, eventColor INTEGER,
  eventColor_index TEXT, eventStatus INTEGER, selfAttendeeStatus INTEGER NOT NULL DEFAULT 0, dtstart INTEGER,
  dtend INTEGER, eventTimezone TEXT, duration TEXT, allDay INTEGER NOT NULL DEFAULT 0,
  accessLevel INTEGER NOT NULL DEFAULT 0, availability INTEGER NOT NULL DEFAULT 0,
  hasAlarm INTEGER NOT NULL DEFAULT 0, hasExtendedProperties INTEGER NOT NULL DEFAULT 0, rrule TEXT, rdate TEXT,
  exrule TEXT, exdate TEXT, original_id INTEGER, original_sync_id TEXT, originalInstanceTime INTEGER,
  originalAllDay INTEGER, lastDate INTEGER, hasAttendeeData INTEGER NOT NULL DEFAULT 0,
  guestsCanModify INTEGER NOT NULL DEFAULT 0, guestsCanInviteOthers INTEGER NOT NULL DEFAULT 1,
  guestsCanSeeGuests INTEGER NOT NULL DEFAULT 1, organizer STRING, isOrganizer INTEGER,
  deleted INTEGER NOT NULL DEFAULT 0, eventEndTimezone TEXT, customAppPackage TEXT, customAppUri TEXT, uid2445 TEXT
);
CREATE TABLE Reminders (
  _id INTEGER PRIMARY KEY, event_id INTEGER, minutes INTEGER, method INTEGER NOT NULL DEFAULT 0
);
