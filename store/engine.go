package store

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// engine is the SQLite under a store. The tests have another one, whose files
// can fail; the statements and all else are the same.
type engine struct {
	open func(source string) (*sql.DB, error)
	code func(err error) int // the result code of an error of its own, else 0
}

// modernc is the engine that people get.
var modernc = engine{
	open: func(source string) (*sql.DB, error) { return sql.Open("sqlite", source) },
	code: func(err error) int {
		var e *sqlite.Error
		if errors.As(err, &e) {
			return e.Code()
		}
		return 0
	},
}
