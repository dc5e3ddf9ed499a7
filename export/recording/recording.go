package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pawl/export/book"
	"pawl/lifecycle"
)

// Recording is an exported JSON document that is read back. It was walked through once,
// from its first byte to its last, and is read by places from then on: what it holds in
// memory are the facts, and where records and messages begin, at most 5 bytes for each
// record. Any goroutine may use it until Close.
type Recording struct {
	name  string
	file  io.ReaderAt
	size  int64
	close func() error
	// longest bounds one value, in bytes.
	longest int64

	head     head
	runs     index
	log      index
	sessions map[lifecycle.SessionID]*sessionIndex
	totals   book.Totals
	ids      int // bytes of the ids held

	mu   sync.Mutex
	next map[*index]cursor // where each list was read last
}

// head are the facts of a document that stand beside its lists.
type head struct {
	format  string
	version int
	pawl    string
	content bool
	seq     lifecycle.Seq
	session book.Session

	openings []book.Opening
}

// Open opens a document that jsondoc wrote to a file. What is no such document, or not a
// whole one, is an error of one line that names the file, the place in it and what to do.
// A pipe is copied to a file of its own first.
func Open(ctx context.Context, path string) (*Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, errors.Join(Unreadable(path, err), file.Close())
	case info.IsDir():
		return nil, errors.Join(fmt.Errorf("read %s: it is a folder: name the file that was exported", path), file.Close())
	case !info.Mode().IsRegular():
		defer file.Close()
		return Read(ctx, file, path)
	}
	return load(ctx, &Recording{name: path, file: file, size: info.Size(), close: file.Close})
}

// Read is Open for what comes through a pipe: it is read to its end, into a temporary file
// without a name, which is gone with the recording. The name is for errors.
func Read(ctx context.Context, from io.Reader, name string) (*Recording, error) {
	file, size, err := spool(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return load(ctx, &Recording{name: name, file: file, size: size, close: file.Close})
}

func load(ctx context.Context, r *Recording) (*Recording, error) {
	if r.longest == 0 {
		r.longest = maxValue
	}
	r.sessions, r.next = map[lifecycle.SessionID]*sessionIndex{}, map[*index]cursor{}
	if err := r.walk(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close lets go of the file. Nothing may be read any more.
func (r *Recording) Close() error { return r.close() }

// Upto is the number of the last record.
func (r *Recording) Upto() lifecycle.Seq { return r.head.seq }

// Totals is what the document says the session cost.
func (r *Recording) Totals() book.Totals { return r.totals }

// Source reads the session as an export does: what it writes as JSON is the document
// again. Transcripts stand at record Upto alone.
func (r *Recording) Source() book.Source {
	return book.Source{
		Session: r.head.session, Version: r.head.pawl, Bare: !r.head.content, Openings: r.head.openings, Totals: &r.totals,
		Runs: r.readRuns, Records: r.readRecords, Messages: r.readMessages,
	}
}
