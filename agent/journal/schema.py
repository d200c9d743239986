"""The tables, as numbered migrations: entry N brings a file from version N to N + 1."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE context (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, serial TEXT NOT NULL, trigger TEXT NOT NULL, body TEXT NOT NULL
    );
    CREATE TABLE decision (
        id INTEGER PRIMARY KEY, context_id INTEGER NOT NULL REFERENCES context ON DELETE CASCADE,
        at TEXT NOT NULL, topic TEXT NOT NULL, decision TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX decision_topic ON decision (topic, at);
    CREATE TABLE plan (
        id INTEGER PRIMARY KEY, decision_id INTEGER REFERENCES decision ON DELETE CASCADE,
        at TEXT NOT NULL, serial TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL
    );
    -- The primary key makes the first answer the only one.
    CREATE TABLE answer (
        plan_id INTEGER PRIMARY KEY REFERENCES plan ON DELETE CASCADE,
        at TEXT NOT NULL, hash TEXT NOT NULL, answer TEXT NOT NULL, channel TEXT NOT NULL
    );
    CREATE TABLE action (
        id INTEGER PRIMARY KEY, plan_id INTEGER NOT NULL REFERENCES plan ON DELETE CASCADE, step INTEGER NOT NULL,
        body TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL, receipt TEXT, outcome TEXT, undo_outcome TEXT
    );
    CREATE TABLE restraint (subject TEXT PRIMARY KEY, rejections INTEGER NOT NULL, until TEXT);
    CREATE TABLE permission (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, serial TEXT NOT NULL, scope TEXT NOT NULL, text TEXT NOT NULL,
        UNIQUE (serial, scope)
    );
    CREATE TABLE schedule (
        id INTEGER PRIMARY KEY, due TEXT NOT NULL, serial TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'waiting'
    );
    CREATE TABLE habit_edit (habit TEXT PRIMARY KEY, body TEXT NOT NULL);
    CREATE INDEX schedule_due ON schedule (state, due);
    """,
    """
    CREATE TABLE situation_switch (situation TEXT PRIMARY KEY, enabled INTEGER NOT NULL);
    DELETE FROM schedule WHERE state = 'done';
    """,
    """
    ALTER TABLE restraint RENAME TO cool_down;
    ALTER TABLE permission RENAME TO grant;
    ALTER TABLE schedule RENAME TO agenda;
    UPDATE agenda SET kind = 'deferred' WHERE kind = 'held';
    UPDATE decision SET rule = 'cool_down' WHERE rule = 'resting';
    UPDATE decision SET rule = 'granted' WHERE rule = 'permitted';
    """,
    """
    UPDATE answer SET answer = 'no_answer' WHERE channel = 'nobody';
    """,
    """
    -- Their scopes do not hold the values that were shown, so the owner is asked again.
    DELETE FROM grant;
    """,
    # The key of a phone (``PhoneIdentity.id``), in ``grant`` and ``agenda`` the column ``serial``. Older rows keep the
    # address, which is no phone's key: a grant that was given to whatever answered there applies to no phone.
    """
    CREATE TABLE phone (id TEXT PRIMARY KEY, name TEXT NOT NULL, build TEXT NOT NULL, address TEXT NOT NULL);
    ALTER TABLE context ADD COLUMN phone TEXT NOT NULL DEFAULT '';
    ALTER TABLE plan ADD COLUMN phone TEXT NOT NULL DEFAULT '';
    UPDATE context SET phone = serial;
    UPDATE plan SET phone = serial;
    """,
)
