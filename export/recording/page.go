package recording

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pawl/export/book"
	"pawl/lifecycle"
)

// cursor is where a list was read last: pages are read one behind another.
type cursor struct {
	after int // elements before it
	at    int64
}

// errChanged is what a file says that is not any more what was walked through.
var errChanged = errors.New("the file was changed while it was read: open it again")

// from begins a page of a list behind so many of its elements.
func (r *Recording) from(ctx context.Context, x *index, after int, what string) (*walk, error) {
	r.mu.Lock()
	last := r.next[x]
	r.mu.Unlock()
	at, skip := last.at, 0
	if last.at == 0 || last.after != after {
		at, skip = x.before(after)
	}
	w, err := r.walkList(ctx, at, what)
	for ; err == nil && skip > 0; skip-- {
		_, err = w.value()
	}
	return w, err
}

// till notes where a page ended.
func (r *Recording) till(x *index, w *walk, after int) error {
	if after >= x.count {
		return nil
	}
	raw, err := w.value() // the next one: a list goes on at an element, not at a comma
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next[x] = cursor{after, w.offset() - int64(len(raw))}
	return nil
}

// readRecords reads the log as Source.Records does; less than 1 is no limit.
func (r *Recording) readRecords(ctx context.Context, root lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	if root != r.head.session.ID {
		return nil, nil
	}
	begin := int(max(0, min(after, lifecycle.Seq(r.log.count))))
	next := lifecycle.Seq(begin)
	return readPage(ctx, r, &r.log, begin, limit, fmt.Sprintf("records from %d", begin+1), func(raw []byte) (lifecycle.Record, error) {
		rec, err := readRecord(raw)
		if next++; err == nil && rec.Seq != next {
			err = errChanged
		}
		return rec, err
	})
}

// readPage reads elements of a list behind so many of them; a limit less than 1 is none.
func readPage[T any](ctx context.Context, r *Recording, x *index, after, limit int, what string, read func([]byte) (T, error)) ([]T, error) {
	after = max(0, after)
	rest := x.count - after
	if rest <= 0 {
		return nil, nil
	}
	if limit < 1 || limit > rest {
		limit = rest
	}
	w, err := r.from(ctx, x, after, what)
	if err != nil {
		return nil, err
	}
	page := make([]T, 0, min(limit, book.PageSize))
	for len(page) < limit {
		raw, err := w.value()
		if err != nil {
			return nil, err
		}
		one, err := read(raw)
		if err != nil {
			return nil, w.fault(err)
		}
		page = append(page, one)
	}
	return page, r.till(x, w, after+limit)
}

// Tail reads the end of one session's part of the log: the last limit records before a
// number, in order; less than 1 for it is the end, and no limit.
func (r *Recording) Tail(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	t := r.sessions[session]
	if t == nil {
		return nil, nil
	}
	if before < 1 {
		before = r.head.seq + 1
	}
	var found []lifecycle.Record // the newest first
	for _, block := range slices.Backward(t.blocks) {
		if lifecycle.Seq(block)*recordsApart+1 >= before {
			continue
		}
		records, err := r.readRecords(ctx, r.head.session.ID, lifecycle.Seq(block)*recordsApart, recordsApart)
		if err != nil {
			return nil, err
		}
		for _, rec := range slices.Backward(records) {
			if rec.Session == session && rec.Seq < before {
				found = append(found, rec)
			}
			if len(found) == limit && limit > 0 {
				slices.Reverse(found)
				return found, nil
			}
		}
	}
	slices.Reverse(found)
	return found, nil
}

// readMessages reads a transcript as Source.Messages does. It stands at the last record
// alone: an export does not say which of its messages were there before.
func (r *Recording) readMessages(ctx context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]book.Message, error) {
	t := r.sessions[session]
	switch {
	case upto < r.head.seq:
		return nil, fmt.Errorf("%s has the transcripts only as they were at record %d", r.name, r.head.seq)
	case t == nil:
		return nil, nil
	}
	return readPage(ctx, r, &t.transcript, after, limit, fmt.Sprintf("messages of session %s", session), readMessage)
}

// readRuns reads the receipts as Source.Runs does; less than 1 is no limit.
func (r *Recording) readRuns(ctx context.Context, root lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
	if root != r.head.session.ID {
		return nil, nil
	}
	return readPage(ctx, r, &r.runs, after, limit, "runs", readRun)
}
