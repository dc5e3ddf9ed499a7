package store

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// engine is the SQLite under a store. Tests replace it with one whose files can
// fail; everything else stays the same.
type engine struct {
	open func(source string) (*sql.DB, error)
	code func(err error) int // the result code of one of its errors, else 0
}

// modernc is the engine outside tests.
var modernc = engine{
	open: func(source string) (*sql.DB, error) { return sql.Open("sqlite", source) },
	code: func(err error) int {
		if e, is := errors.AsType[*sqlite.Error](err); is {
			return e.Code()
		}
		return 0
	},
}
