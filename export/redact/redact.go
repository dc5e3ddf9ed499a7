package redact

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// bared is a source without its content, for sharing: what people, models, tools and
// servers wrote is replaced by how long it is, before anything reads it. What Pawl
// itself says stays: ids, kinds, states, causes, times, usage, sizes, names of models and
// of Pawl's own tools and types. Runs are the fold of the bare records, so that such an
// export can be verified from itself like any other.
//
// Two things that were the same stay the same where that matters: a name of others (of a
// server's tool, say) becomes a tag of a few letters, and what was denied keeps one behind
// its length. Tags are made with the first record whole, which is not in the export: who
// reads it cannot try out names. They are the same in every export of the session.
type bared struct {
	src      book.Source
	root     lifecycle.SessionID
	upto     lifecycle.Seq
	key      []byte
	folded   []lifecycle.Run                             // nil until they are asked for
	sessions map[lifecycle.SessionID]lifecycle.SessionID // what a source calls those whose ids were replaced
}

// Source is src without its content, and what that calls the root session. A
// source that is bare already stays as it is.
func Source(ctx context.Context, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) (book.Source, lifecycle.SessionID, error) {
	if src.Bare {
		return src, root, nil
	}
	if err := src.Check(root, upto); err != nil {
		return src, root, err
	}
	b := &bared{src: src, root: root, upto: upto, sessions: map[lifecycle.SessionID]lifecycle.SessionID{}}
	first, err := src.Records(ctx, root, 0, 1)
	if err != nil {
		return src, root, fmt.Errorf("read the first record: %w", err)
	}
	for _, rec := range first {
		raw, err := rec.MarshalJSON()
		if err != nil {
			return src, root, fmt.Errorf("read the first record: %w", err)
		}
		sum := sha256.Sum256(raw)
		b.key = sum[:]
	}
	without := src // the secrets too: they mask nothing that is left, and cost nothing
	without.Bare = true
	without.Openings = b.openings(src.Openings)
	without.Session = book.Session{
		ID: b.session(root), Title: b.text(src.Session.Title), Folder: b.text(src.Session.Folder),
		Model: b.model(src.Session.Model), Created: src.Session.Created,
	}
	if from := src.Session.ForkedFrom; from != nil {
		without.Session.ForkedFrom = &book.ForkedFrom{Session: b.session(from.Session), Seq: from.Seq, Prompt: b.text(from.Prompt)}
	}
	without.Runs, without.Records, without.Messages, without.Contents = b.runs, b.records, b.messages, nil
	if src.Changes != nil {
		without.Changes = b.changes
	}
	return without, b.session(root), nil
}

// records are those of the source, bare.
func (b *bared) records(ctx context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	some, err := b.src.Records(ctx, b.root, after, limit)
	if err != nil {
		return nil, err
	}
	return b.bare(some), nil
}

// changes are those of the source, bare.
func (b *bared) changes(ctx context.Context, _ lifecycle.SessionID) ([]lifecycle.Record, error) {
	some, err := b.src.Changes(ctx, b.root)
	return b.bare(some), err
}

func (b *bared) bare(some []lifecycle.Record) []lifecycle.Record {
	without := make([]lifecycle.Record, len(some))
	for i, rec := range some {
		without[i] = lifecycle.Record{
			Seq: rec.Seq, Time: rec.Time, Root: b.session(rec.Root), Session: b.session(rec.Session), Run: bareID(b, rec.Run),
			Request: rec.Request, Event: b.event(rec.Event),
		}
	}
	return without
}

// runs are the fold of the bare records: they are made once, and hold no long text.
func (b *bared) runs(ctx context.Context, _ lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
	if b.folded == nil {
		var err error
		if b.folded, err = b.fold(ctx); err != nil {
			return nil, err
		}
	}
	some := b.folded[min(after, len(b.folded)):]
	return some[:min(limit, len(some))], nil
}

func (b *bared) fold(ctx context.Context) ([]lifecycle.Run, error) {
	ledger := lifecycle.NewLedger(lifecycle.Snapshot{Root: b.session(b.root)})
	of := book.Source{Records: b.records}
	err := of.Each(ctx, b.root, b.upto, func(rec lifecycle.Record) error {
		if err := ledger.Apply(rec); err != nil && !errors.Is(err, lifecycle.ErrNotWaiting) { // a queue is nothing that is exported
			return fmt.Errorf("record %d: %w", rec.Seq, err)
		}
		return nil
	})
	return ledger.Snapshot().Runs, err
}

// messages are those of the source, bare. Sessions are known by then: their runs were
// read before.
func (b *bared) messages(ctx context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]book.Message, error) {
	if own, replaced := b.sessions[session]; replaced {
		session = own
	}
	some, err := b.src.Messages(ctx, session, upto, after, limit)
	if err != nil {
		return nil, err
	}
	without := make([]book.Message, len(some))
	for i, m := range some {
		without[i] = b.message(m)
	}
	return without, nil
}

// session is the id of a session, which leads back to the source's own.
func (b *bared) session(id lifecycle.SessionID) lifecycle.SessionID {
	kept := bareID(b, id)
	if kept != id {
		b.sessions[kept] = id
	}
	return kept
}
