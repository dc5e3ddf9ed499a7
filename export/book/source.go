package book

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"pawl/lifecycle"
)

// Source is where a session is read from. internal/stored fills it from the store. Its functions
// are never called concurrently.
type Source struct {
	Session Session
	Version string   // version of the exporting program
	Secrets []string // values that must not appear
	// Openings are the times that the session was opened, in order.
	Openings []Opening
	Bare     bool    // it was exported without content already
	Totals   *Totals // what a document says the session cost; nil for other sources

	// Runs lists the runs of a root session in the order they were spawned. It skips the first
	// after runs and returns at most limit, fewer only at the end. It may return newer runs than
	// the export covers, and runs that have changed meanwhile.
	Runs func(ctx context.Context, root lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error)
	// Records reads the log of a root session: at most limit records after the given one, in
	// order.
	Records func(ctx context.Context, root lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	// Changes reads the records that lifecycle/files folds, in order, at least up to the newest
	// that the export covers. nil: they are picked out of all records.
	Changes func(ctx context.Context, root lifecycle.SessionID) ([]lifecycle.Record, error)
	// Contents reads what a file of a change held, by its hash. The error wraps ErrGone where
	// that is not kept. nil: nothing is.
	Contents func(ctx context.Context, hash string) ([]byte, error)
	// Messages reads the transcript of one session, parent or subagent, as it stood when record
	// upto was the newest. It skips the first after messages and returns at most limit, fewer
	// only at the end.
	Messages func(ctx context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]Message, error)
}

// ErrGone reports that what a file held is not kept, or not any more.
var ErrGone = errors.New("not kept")

// Session is what is known of a root session besides its log.
type Session struct {
	ID      lifecycle.SessionID `json:"id"`
	Title   string              `json:"title"`
	Folder  string              `json:"folder"`
	Model   string              `json:"model"` // used if no run has one
	Created time.Time           `json:"created"`
	// ForkedFrom is where a fork has its beginning from; nil: it is none.
	ForkedFrom *ForkedFrom `json:"forked_from,omitempty"`
}

// ForkedFrom is the session that another one was forked from, and how far they are the same.
type ForkedFrom struct {
	Session lifecycle.SessionID `json:"session"`
	Seq     lifecycle.Seq       `json:"seq"`              // of the first record of that session which the fork does not have
	Prompt  string              `json:"prompt,omitempty"` // the first line of the prompt before which it was forked; empty: it has all there was
}

// Says says it in words.
func (f ForkedFrom) Says() string {
	if f.Prompt == "" {
		return fmt.Sprintf("session %s, with its records before %d", f.Session, f.Seq)
	}
	return fmt.Sprintf("session %s, before its prompt in record %d: %s", f.Session, f.Seq, f.Prompt)
}

// Stored turns a function that reads entries into one for Source.Messages.
func Stored(entries func(ctx context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]lifecycle.Entry, error)) func(context.Context, lifecycle.SessionID, lifecycle.Seq, int, int) ([]Message, error) {
	return func(ctx context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]Message, error) {
		some, err := entries(ctx, session, upto, after, limit)
		if err != nil {
			return nil, err
		}
		messages := make([]Message, 0, len(some))
		for _, entry := range some {
			m, err := Decode(entry)
			if err != nil {
				return nil, err
			}
			messages = append(messages, m)
		}
		return messages, nil
	}
}

// How much is read at once. With results of the greatest length (30,000 characters) two pages of
// records are 6 MB and one of messages or runs at most 3 MB, all of which is decoded and held
// until it is written.
const (
	PageSize    = 100 // records; as many again are read ahead
	messagePage = 32  // as many again may wait to be written
	runPage     = 32
)

// EachRun returns the runs of a root session, in order, read a page at a time. An error comes
// last.
func (s Source) EachRun(ctx context.Context, root lifecycle.SessionID) iter.Seq2[lifecycle.Run, error] {
	return paged(runPage, func(after int) ([]lifecycle.Run, error) {
		some, err := s.Runs(ctx, root, after, runPage)
		if err != nil {
			err = fmt.Errorf("read the runs: %w", err)
		}
		return some, err
	})
}

// paged yields the elements of pages, up to one that is not full. An error comes last.
func paged[T any](full int, page func(after int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for read := 0; ; {
			some, err := page(read)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range some {
				if !yield(one, nil) {
					return
				}
			}
			if read += len(some); len(some) < full {
				return
			}
		}
	}
}

// Each calls fn with records 1 to upto, in order. A missing or repeated record is an error that
// names it. It reads ahead, so fn must not read from the source.
func (s Source) Each(ctx context.Context, root lifecycle.SessionID, upto lifecycle.Seq, fn func(lifecycle.Record) error) error {
	return s.eachAfter(ctx, root, 0, upto, fn)
}

// eachAfter is Each for the records after a number.
func (s Source) eachAfter(ctx context.Context, root lifecycle.SessionID, after, upto lifecycle.Seq, fn func(lifecycle.Record) error) error {
	pages := newPages(ctx, s, root, upto)
	defer pages.close()
	for after < upto {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		records, err := pages.next(after)
		if err != nil {
			return fmt.Errorf("read the log after record %d: %w", after, err)
		}
		if len(records) == 0 {
			return fmt.Errorf("the log ends at record %d, before record %d", after, upto)
		}
		for _, rec := range records {
			if after == upto {
				return nil
			}
			if rec.Seq != after+1 {
				return fmt.Errorf("record %d is missing: record %d follows record %d", after+1, rec.Seq, after)
			}
			if err := fn(rec); err != nil {
				return err
			}
			after = rec.Seq
		}
	}
	return nil
}

// TimeOf is the time of a record.
func (s Source) TimeOf(ctx context.Context, seq lifecycle.Seq) (time.Time, error) {
	found, err := s.Records(ctx, s.Session.ID, seq-1, 1)
	if err != nil {
		return time.Time{}, fmt.Errorf("read record %d: %w", seq, err)
	}
	if len(found) == 0 || found[0].Seq != seq {
		return time.Time{}, fmt.Errorf("the log ends before record %d", seq)
	}
	return found[0].Time, nil
}

// Check returns an error for a session that cannot be exported.
func (s Source) Check(root lifecycle.SessionID, upto lifecycle.Seq) error {
	switch {
	case root == "":
		return errors.New("no session is named")
	case s.Session.ID != root:
		return fmt.Errorf("the facts given are those of session %q", s.Session.ID)
	case upto < 0:
		return fmt.Errorf("there is no record %d", upto)
	}
	return nil
}

// EachChange calls fn with the records up to the book's newest that lifecycle/files folds, in
// order. Where the source cannot tell them apart it reads the whole log.
func (b *Book) EachChange(ctx context.Context, fn func(lifecycle.Record)) error {
	if b.Source.Changes == nil {
		return b.Source.Each(ctx, b.Root, b.Upto, func(rec lifecycle.Record) error {
			fn(rec)
			return nil
		})
	}
	records, err := b.Source.Changes(ctx, b.Root)
	if err != nil {
		return fmt.Errorf("read the changes: %w", err)
	}
	for _, rec := range records {
		if rec.Seq <= b.Upto {
			fn(rec)
		}
	}
	return nil
}
