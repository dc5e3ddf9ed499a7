package base

import (
	"context"
	"io"
	"log"
	"log/slog"
	"os"

	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/internal/models"
	"pawl/internal/regular"
	"pawl/internal/system"
	"pawl/internal/trust"
	"pawl/store"
	"pawl/tools/filestore"
)

// Base is what every command needs: the settings, the models and the database.
type Base struct {
	World    World
	Folders  settings.Folders
	Settings settings.Settings
	Models   *models.Set
	Store    *store.Store
	log      *os.File
	read     []*filestore.Store
}

// Open reads the settings and opens the database. The caller must Close it.
func Open(ctx context.Context, w World, options store.Options) (*Base, error) {
	return OpenBeside(ctx, w, options, func(*Base) {})
}

// OpenBeside is Open that calls begin before it opens the database, which takes a while: what begin
// starts need not wait for that, and may read all but Store.
func OpenBeside(ctx context.Context, w World, options store.Options, begin func(*Base)) (*Base, error) {
	b, err := New(w)
	if err != nil {
		return nil, err
	}
	begin(b)
	if b.Store, err = store.Open(ctx, b.Folders.Database(), options); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// New is Open without the database. The caller must Close it.
func New(w World) (*Base, error) {
	if err := settings.CheckHome(); err != nil {
		return nil, AsUsage(err)
	}
	b := &Base{World: w, Folders: settings.FindFolders()}
	var pace script.Pace
	var err error
	if b.Settings, pace, err = LoadSettings(b.Folders.ConfigFile(), w.Environ); err != nil {
		return nil, AsUsage(err)
	}
	b.Models = ModelsOf(w, b.Folders, b.Settings, pace)
	if !w.Logged {
		b.startLog()
	}
	return b, nil
}

// Close closes the database, the log and what ReadFiles opened.
func (b *Base) Close() {
	for _, files := range b.read {
		_ = files.Close() // it was only read
	}
	if b.Store != nil {
		if err := b.Store.Close(); err != nil {
			slog.Error("close the database", "error", err)
		}
	}
	if b.log != nil {
		log.SetOutput(io.Discard)
		slog.SetDefault(slog.New(slog.DiscardHandler))
		_ = b.log.Close() // nowhere left to report it
	}
}

// startLog sends slog and the standard log, which libraries use, to a file, or discards them if
// there can be none: never to the screen.
func (b *Base) startLog() {
	to := io.Discard
	if err := os.MkdirAll(b.Folders.State, 0o700); err == nil {
		if b.World.Crash.Open() {
			b.World.Guard.TellCrashFile(b.World.Crash)
		}
		system.Rotate(b.Folders.LogFile())
		file, err := regular.OpenWith(os.OpenFile, b.Folders.LogFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			b.log, to = file, b.Models.Hide().Writer(file)
		}
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(to, nil)))
	log.SetOutput(to)
	keepPrivate(b.Folders.State, b.Folders.Data)
}

// keepPrivate removes the permissions of other users from Pawl's folders: one that existed
// before, or was copied, may have some.
func keepPrivate(folders ...string) {
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue // whoever uses it reports the error
		}
		if err := os.Chmod(folder, info.Mode().Perm()&^0o077); err != nil {
			slog.Warn("other users can read one of Pawl's folders", "folder", folder, "error", err)
		}
	}
}

// Facts returns where trust is remembered.
func (b *Base) Facts() trust.Facts {
	if b.Store == nil {
		return trust.NewFacts(nil, nil)
	}
	return trust.NewFacts(b.Store, b.World.Answers)
}
