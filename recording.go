package main

import (
	"context"

	"pawl/export"
	"pawl/lifecycle"
	"pawl/store"
)

// recording is a session to look at: it is read and nothing of it is driven.
type recording struct {
	source export.Source
	upto   lifecycle.Seq // its last record
	// tail reads the newest records of one of its sessions before a record, at most
	// limit of them, oldest first.
	tail  func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	close func()
}

// openRecording opens what a person named to look at: a session, by its id or by how that
// begins or ends.
func openRecording(ctx runContext, w world, name string) (*recording, error) {
	b, err := openToRead(ctx, w, name)
	if err != nil {
		return nil, err
	}
	t := &recording{close: b.Close}
	if t.source, t.upto, err = b.source(ctx, name); err != nil {
		b.Close()
		return nil, err
	}
	t.tail = tailOf(b.store, t.source.Session.ID)
	return t, nil
}

func tailOf(s *store.Store, root lifecycle.SessionID) func(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return s.Tail(ctx, root, session, before, limit)
	}
}
