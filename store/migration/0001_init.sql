-- The schema refuses what must not be, whoever writes: see TestSchemaRefuses….
-- Times are microseconds since 1970, UTC. Ids are text, as everywhere else.

CREATE TABLE sessions (
    id      TEXT    NOT NULL PRIMARY KEY,
    root    TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    parent  TEXT    REFERENCES sessions (id), -- NULL: this is a root
    type    TEXT    NOT NULL,
    title   TEXT    NOT NULL,
    folder  TEXT    NOT NULL,
    model   TEXT    NOT NULL,                 -- of its newest run
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    CHECK ((parent IS NULL) = (root = id))
) STRICT;

CREATE INDEX sessions_updated ON sessions (updated);
CREATE INDEX sessions_root ON sessions (root);
CREATE INDEX sessions_parent ON sessions (parent);

-- The log: one numbering for a root session and all its subagents.
CREATE TABLE records (
    root    TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL CHECK (seq > 0),
    time    INTEGER NOT NULL,
    session TEXT    NOT NULL,
    run     TEXT    NOT NULL,
    event   TEXT    NOT NULL,
    data    TEXT    NOT NULL, -- the event's own fields, JSON
    PRIMARY KEY (root, seq)
) STRICT, WITHOUT ROWID;

-- The last records of one session: the first screen.
CREATE INDEX records_session ON records (session, seq);

-- What a reopened session folds its queues from, without a look at the rest.
CREATE INDEX records_message ON records (root, seq) WHERE event IN
    ('message_queued', 'message_edited', 'message_moved', 'message_taken', 'message_withdrawn');

-- What happens to a run at most once.
CREATE UNIQUE INDEX records_once ON records (run, event) WHERE event IN
    ('spawned', 'started', 'ended', 'notification_queued', 'consumed');

CREATE TRIGGER records_are_final BEFORE UPDATE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed');
END;

-- An index of the log: each run as it stands after its last record.
CREATE TABLE runs (
    id      TEXT    NOT NULL PRIMARY KEY,
    root    TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    parent  TEXT,             -- the session that is owed its result
    spawned INTEGER NOT NULL, -- the record that brought it into being: the order of runs
    state   TEXT    NOT NULL CHECK (state IN
        ('queued', 'running', 'completed', 'completed_empty', 'failed',
         'canceled_by_user', 'canceled_by_agent', 'interrupted')),
    ended   INTEGER,
    data    TEXT    NOT NULL, -- the whole run, JSON
    CHECK ((state IN ('queued', 'running')) = (ended IS NULL))
) STRICT;

CREATE UNIQUE INDEX runs_root ON runs (root, spawned);
CREATE INDEX runs_session ON runs (session);

CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs
WHEN OLD.ended IS NOT NULL AND (NEW.state <> OLD.state OR NEW.ended IS NOT OLD.ended)
BEGIN
    SELECT RAISE(ABORT, 'a run that has ended keeps its state');
END;

CREATE TRIGGER runs_go_forward BEFORE UPDATE OF state ON runs
WHEN OLD.state = 'running' AND NEW.state = 'queued'
BEGIN
    SELECT RAISE(ABORT, 'a run that has started is not queued again');
END;

CREATE TRIGGER runs_stay BEFORE UPDATE ON runs
WHEN NEW.id <> OLD.id OR NEW.root <> OLD.root OR NEW.session <> OLD.session OR NEW.spawned <> OLD.spawned
BEGIN
    SELECT RAISE(ABORT, 'a run stays in its session');
END;

-- INSERT OR REPLACE would walk past the triggers above.
CREATE TRIGGER runs_begin_once BEFORE INSERT ON runs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'a run begins once');
END;

-- An index of the log: what a parent is owed. The key allows one for a run.
CREATE TABLE notifications (
    run     TEXT    NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, -- the parent
    state   TEXT    NOT NULL CHECK (state IN ('pending', 'delivered', 'withdrawn')),
    queued  INTEGER NOT NULL,
    settled INTEGER, -- when it was delivered or withdrawn
    CHECK ((state = 'pending') = (settled IS NULL))
) STRICT;

CREATE INDEX notifications_pending ON notifications (session) WHERE state = 'pending';
CREATE INDEX notifications_session ON notifications (session);

CREATE TRIGGER notifications_come_after_the_end BEFORE INSERT ON notifications
WHEN (SELECT ended FROM runs WHERE id = NEW.run) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'a notification is owed only for a run that has ended');
END;

CREATE TRIGGER notifications_come_once BEFORE INSERT ON notifications
WHEN EXISTS (SELECT 1 FROM notifications WHERE run = NEW.run)
BEGIN
    SELECT RAISE(ABORT, 'a run owes one notification');
END;

CREATE TRIGGER notifications_settle_once BEFORE UPDATE ON notifications
WHEN OLD.state <> 'pending'
BEGIN
    SELECT RAISE(ABORT, 'a notification is delivered or withdrawn once');
END;

-- The transcripts. The order of id is the order in which they were written.
CREATE TABLE messages (
    id      INTEGER NOT NULL PRIMARY KEY,
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL, -- the log's last record when it was written
    run     TEXT    NOT NULL,
    kind    TEXT    NOT NULL CHECK (kind <> ''),
    call    TEXT    CHECK (call <> ''),
    source  TEXT    UNIQUE CHECK (source <> ''), -- one message for one notification
    body    TEXT    NOT NULL
) STRICT;

CREATE INDEX messages_session ON messages (session);
CREATE UNIQUE INDEX messages_result ON messages (session, call) WHERE kind = 'tool_result';

CREATE TRIGGER messages_are_final BEFORE UPDATE ON messages
BEGIN
    SELECT RAISE(ABORT, 'a transcript entry is never changed');
END;

-- What a person allowed further than one call.
CREATE TABLE grants (
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    tool    TEXT    NOT NULL,
    subject TEXT    NOT NULL, -- '': any
    scope   TEXT    NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (session, tool, subject, scope)
) STRICT, WITHOUT ROWID;

-- What Pawl remembers that belongs to no session.
CREATE TABLE facts (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
