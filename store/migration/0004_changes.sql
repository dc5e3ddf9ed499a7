-- What a session's changes of files are folded from, without a look at the rest: the changes, and
-- the prompts that they belong to.
CREATE INDEX records_change ON records (root, seq) WHERE event IN
    ('spawned', 'message_taken', 'files_changed', 'landed', 'rewound');
