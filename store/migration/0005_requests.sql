-- The request of a process on another machine that a record was written for, counted from the placement
-- of its run on; 0: none. Whoever goes on with the run knows by it what is written already.
ALTER TABLE records ADD COLUMN request INTEGER NOT NULL DEFAULT 0;
