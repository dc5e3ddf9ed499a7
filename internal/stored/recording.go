package stored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"pawl/export/book"
	"pawl/export/recording"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/filestore"
)

// OpenDatabase opens the database read-only for a command that names a session, or with an empty name
// means the newest of its folder. The error is one of usage if there is no database yet.
func OpenDatabase(ctx context.Context, w base.World, name string) (*base.Base, error) {
	b, err := base.Open(ctx, w, store.Options{ReadOnly: true})
	switch {
	case !errors.Is(err, os.ErrNotExist):
		return b, err
	case name == "":
		return nil, system.Usage("there are no sessions yet: start one with pawl")
	}
	return nil, system.Usage(fmt.Sprintf("no session %q: there are none yet; start one with pawl", name))
}

// Named finds the session that a person named. The error is one of usage if that is none, or several.
func Named(ctx context.Context, b *base.Base, name string) (store.SessionInfo, error) {
	found, err := b.Store.Session(ctx, name)
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrAmbiguous) {
		err = system.Usage(err.Error())
	}
	return found, err
}

// Newest is the root session of the folder that was changed last. The error is one of usage if the
// folder has none.
func Newest(ctx context.Context, b *base.Base) (lifecycle.SessionID, error) {
	found, err := b.Store.Sessions(ctx, store.Filter{Folder: b.World.Folder, RootsOnly: true, Limit: 1})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", system.Usage("there is no session in this folder: start one with pawl, or name one of those that pawl sessions --all lists")
	}
	return found[0].ID, nil
}

// FindSource finds a session and returns the source for its export, and its last record. A
// subagent's session stands for its root.
func FindSource(ctx context.Context, b *base.Base, name string) (book.Source, lifecycle.Seq, error) {
	found, err := Named(ctx, b, name)
	if err != nil {
		return book.Source{}, 0, err
	}
	if found.Root != found.ID { // an export covers the whole root session
		if found, err = b.Store.Session(ctx, string(found.Root)); err != nil {
			return book.Source{}, 0, err
		}
	}
	last, err := b.Store.LastSeq(ctx, found.ID)
	if err != nil {
		return book.Source{}, 0, err
	}
	source, err := SourceOf(ctx, b, found, b.ReadFiles(found.ID))
	return source, last, err
}

// SourceOf returns the source for the export of a session of the database, whose files are kept in
// that store.
func SourceOf(ctx context.Context, b *base.Base, s store.SessionInfo, files *filestore.Store) (book.Source, error) {
	openings, err := Openings(ctx, b, s.ID)
	return book.Source{
		Openings: openings,
		Session: book.Session{
			ID: s.ID, Title: s.Title, Folder: s.Folder, Model: s.Model, Created: s.Created, ForkedFrom: (*book.ForkedFrom)(s.ForkedFrom),
		},
		Version: base.VersionText(), Secrets: b.Models.Secrets(),
		Runs: b.Store.Runs, Records: b.Store.Records, Messages: book.Stored(b.Store.EntriesUntil),
		Changes: b.Store.ChangeRecords, Contents: contentsOf(files),
	}, err
}

// contentsOf reads what files held. What was damaged is as gone as what was never kept.
func contentsOf(files *filestore.Store) func(context.Context, string) ([]byte, error) {
	return func(_ context.Context, hash string) ([]byte, error) {
		content, err := files.Read(hash)
		if errors.Is(err, filestore.ErrNotKept) || errors.Is(err, filestore.ErrDamaged) {
			return nil, fmt.Errorf("%w: %w", book.ErrGone, err)
		}
		return content, err
	}
}

// Openings returns when and how a root session was opened, the first time first.
func Openings(ctx context.Context, b *base.Base, root lifecycle.SessionID) ([]book.Opening, error) {
	text, err := b.Store.SessionFact(ctx, root, store.FactOpenings)
	if err != nil || text == "" {
		return nil, err
	}
	var all []book.Opening
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("read the openings of session %s: %w", root, err)
	}
	return all, nil
}

// Recording is a session opened for reading.
type Recording struct {
	Source book.Source
	Upto   lifecycle.Seq // the last record
	// Tail reads the newest records of one of its sessions before a given one, at most limit,
	// oldest first.
	Tail  func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	Close func()
	File  *recording.Recording // nil: a session of the database
}

// Changes reads the records of its root that say something of files, in order.
func (t *Recording) Changes(ctx context.Context, root lifecycle.SessionID) (found []lifecycle.Record, err error) {
	err = t.Source.Each(ctx, root, t.Upto, func(rec lifecycle.Record) error {
		switch rec.Event.(type) {
		case lifecycle.Spawned, lifecycle.MessageTaken, lifecycle.FilesChanged, lifecycle.Landed, lifecycle.Rewound:
			found = append(found, rec)
		default: // nothing of files
		}
		return nil
	})
	return found, err
}

// Open opens what a person named: an exported file, - for one on standard input, or a session,
// by its id or the beginning or end of it. An existing file wins.
func Open(ctx context.Context, w base.World, name string) (*Recording, error) {
	if isFile(name) {
		return openFile(ctx, w, name)
	}
	b, err := OpenDatabase(ctx, w, name)
	if err != nil {
		return nil, neither(err)
	}
	t := &Recording{Close: b.Close}
	if t.Source, t.Upto, err = FindSource(ctx, b, name); err != nil {
		b.Close()
		return nil, neither(err)
	}
	t.Tail = tailOf(b.Store, t.Source.Session.ID)
	return t, nil
}

// neither adds to the error about a session that there is no file of that name either.
func neither(err error) error {
	if usage, is := errors.AsType[*system.UsageError](err); is {
		return system.Usage(usage.Message + " (nor is there a file of that name)")
	}
	return err
}

// isFile reports whether a name means a file: it exists, or cannot be the id of a session.
func isFile(name string) bool {
	if name == "-" || strings.ContainsAny(name, `/.`) {
		return true
	}
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// Missing returns an error for a name that can only be a file's if there is no such file. It is
// quick, while Open reads.
func Missing(name string) error {
	if name == "-" || !isFile(name) {
		return nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return system.Usage(recording.Unreadable(name, err).Error())
	}
	return nil
}

// openFile opens an exported document. An invalid one is a usage error.
func openFile(ctx context.Context, w base.World, name string) (*Recording, error) {
	read, err := readFile(ctx, w, name)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, system.Usage(err.Error())
	}
	t := &Recording{Source: read.Source(), Upto: read.Upto(), Tail: read.Tail, File: read}
	t.Source.Secrets = base.Secrets(w.Environ)
	t.Close = func() {
		if err := read.Close(); err != nil {
			slog.Error("close a recording", "file", name, "error", err)
		}
	}
	return t, nil
}

// StdinSaid is how errors name standard input.
const StdinSaid = "standard input"

func readFile(ctx context.Context, w base.World, name string) (*recording.Recording, error) {
	if name == "-" {
		return recording.Read(ctx, w.In, StdinSaid)
	}
	return recording.Open(ctx, name)
}

func tailOf(s *store.Store, root lifecycle.SessionID) func(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return s.Tail(ctx, root, session, before, limit)
	}
}
