package apply

import (
	"context"
	"errors"

	"pawl/lifecycle"
)

// Run checks all files, writes the journal, puts the files in place, calls record, which appends
// Landed or Rewound durably, and removes the journal. It returns what it changed: Before is what
// stood there, which is kept. On any error, record's included, everything is as before; the error
// is one line and names the file. journal is a folder of the session in the data folder. One
// process at a time may use a journal folder; that is whoever holds the session's lock.
func Run(ctx context.Context, journal string, contents Contents, set Set, record func(context.Context) error) ([]lifecycle.FileChange, error) {
	return nil, errors.New("files are not put in place yet")
}

// Recover finishes what a killed process left in a journal folder: recorded says whether the
// operation is in the log; if not, it is undone. undone says that there was something to undo. Files
// that hold neither what was put in place nor what stood there before are left, and err names them
// (a *LeftError): the journal is gone all the same. Without a journal it does nothing.
func Recover(ctx context.Context, journal string, contents Contents, recorded func(lifecycle.OperationID) (bool, error)) (undone bool, err error) {
	return false, nil
}
