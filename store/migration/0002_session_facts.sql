-- What Pawl remembers of a session and that is no run's: its todo list.
CREATE TABLE session_facts (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;
