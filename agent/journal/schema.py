"""The tables, as numbered migrations: entry N brings a file from version N to N + 1."""

FIRST_QUESTION = "json_extract(plan.body, '$.steps[0].press') IS NULL"
"""The condition of a plan that is no question about a last button within another plan's run."""

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
    # Durations are measured in elapsed time (elapsed_time.py). What is older than this version has an age of its own
    # only where a wrong one deletes nothing; contexts are kept as if they were new.
    """
    CREATE TABLE elapsed_time (
        id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT NOT NULL, monotonic REAL NOT NULL, elapsed REAL NOT NULL
    );
    ALTER TABLE context ADD COLUMN elapsed REAL NOT NULL DEFAULT 0;
    ALTER TABLE decision ADD COLUMN elapsed REAL NOT NULL DEFAULT 0;
    ALTER TABLE answer ADD COLUMN elapsed REAL NOT NULL DEFAULT 0;
    ALTER TABLE action ADD COLUMN elapsed REAL NOT NULL DEFAULT 0;
    UPDATE decision SET elapsed = MIN(0, (julianday(at) - julianday('now')) * 86400);
    UPDATE answer SET elapsed = MIN(0, (julianday(at) - julianday('now')) * 86400);
    UPDATE action SET elapsed = MIN(0, (julianday(at) - julianday('now')) * 86400);
    ALTER TABLE cool_down ADD COLUMN ends REAL;
    UPDATE cool_down SET ends = MIN(
        MAX(0, (julianday(until) - julianday('now')) * 86400), 43200 * (1 << MIN(rejections - 1, 6))
    ) WHERE until IS NOT NULL;
    ALTER TABLE cool_down DROP COLUMN until;
    -- An entry is due at a time of the phone's clock or, where this is not null, at an elapsed time.
    ALTER TABLE agenda ADD COLUMN elapsed_due REAL;
    DELETE FROM agenda WHERE kind = 'retention';
    CREATE INDEX context_elapsed ON context (elapsed);
    CREATE INDEX decision_elapsed ON decision (elapsed);
    -- Of a silence only its trigger is kept after a while.
    ALTER TABLE context ADD COLUMN reduced INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- The phone's time at which the undo of an action ended.
    ALTER TABLE action ADD COLUMN undone_at TEXT;
    -- What the owner did on the phone through the console: a touch, and never an action of heed.
    CREATE TABLE owner_touch (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, elapsed REAL NOT NULL, serial TEXT NOT NULL, phone TEXT NOT NULL,
        kind TEXT NOT NULL
    );
    CREATE INDEX owner_touch_elapsed ON owner_touch (elapsed);
    """,
    """
    CREATE TABLE preference (
        function TEXT NOT NULL, parameter TEXT NOT NULL, value TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (function, parameter)
    );
    """,
    """
    -- At an elapsed time, at a time of the phone's clock or, where both are null, when the owner resumes.
    CREATE TABLE pause (id INTEGER PRIMARY KEY CHECK (id = 1), ends REAL, until TEXT);
    """,
    """
    -- The name under which a paired phone announces itself in the network; empty = it is not paired.
    ALTER TABLE phone ADD COLUMN guid TEXT NOT NULL DEFAULT '';
    """,
)
