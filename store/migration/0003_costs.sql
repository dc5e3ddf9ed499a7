-- An index of the log: what each root session has cost in each quarter of an hour since 1970.
-- Days of every time zone begin at such a quarter. The rows of a removed session stay, without
-- its id: what is spent stays spent.
CREATE TABLE costs (
    quarter INTEGER NOT NULL,
    root    TEXT    NOT NULL, -- or a name of its own, once the session is removed
    cost    REAL    NOT NULL CHECK (cost > 0), -- US dollars
    PRIMARY KEY (quarter, root)
) STRICT, WITHOUT ROWID;

INSERT INTO costs (quarter, root, cost)
    SELECT time / 900000000, root, total(json_extract(data, '$.cost_usd')) AS cost
    FROM records WHERE event = 'usage' GROUP BY 1, 2 HAVING cost > 0;
