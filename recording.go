package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"pawl/export"
	"pawl/export/book"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/lifecycle"
	"pawl/store"
)

// recording is a session to look at: it is read and nothing of it is driven.
type recording struct {
	source book.Source
	upto   lifecycle.Seq // its last record
	// tail reads the newest records of one of its sessions before a record, at most
	// limit of them, oldest first.
	tail  func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	close func()
	file  *export.Recording // nil: a session of the database
}

// openRecording opens what a person named to look at: an exported file, - for one on
// standard input, or a session, by its id or by how that begins or ends. A file that is
// there wins.
func openRecording(ctx context.Context, w base.World, name string) (*recording, error) {
	if isFile(name) {
		return openFile(ctx, w, name)
	}
	b, err := openToRead(ctx, w, name)
	if err != nil {
		return nil, neither(err)
	}
	t := &recording{close: b.Close}
	if t.source, t.upto, err = source(ctx, b, name); err != nil {
		b.Close()
		return nil, neither(err)
	}
	t.tail = tailOf(b.Store, t.source.Session.ID)
	return t, nil
}

// neither adds to what is wrong with a name that there is no file of it: one may have been
// meant.
func neither(err error) error {
	var usage *host.UsageError
	if errors.As(err, &usage) {
		return host.Usage(usage.Message + " (nor is there a file of that name)")
	}
	return err
}

// isFile says that a name is meant for a file: there is one, or it looks like none of a
// session.
func isFile(name string) bool {
	if name == "-" || strings.ContainsAny(name, `/.`) {
		return true
	}
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// openFile opens an exported document. What is wrong with it is a mistake of whoever named
// it.
func openFile(ctx context.Context, w base.World, name string) (*recording, error) {
	read, err := readFile(ctx, w, name)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, host.Usage(err.Error())
	}
	t := &recording{source: read.Source(), upto: read.Upto(), tail: read.Tail, file: read}
	t.source.Secrets = base.Secrets(w.Environ)
	t.close = func() {
		if err := read.Close(); err != nil {
			slog.Error("close a recording", "file", name, "error", err)
		}
	}
	return t, nil
}

// stdinSaid is what - stands for.
const stdinSaid = "standard input"

func readFile(ctx context.Context, w base.World, name string) (*export.Recording, error) {
	if name == "-" {
		return export.ReadRecording(ctx, w.In, stdinSaid)
	}
	return export.OpenRecording(ctx, name)
}

func tailOf(s *store.Store, root lifecycle.SessionID) func(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return s.Tail(ctx, root, session, before, limit)
	}
}
