package main

import (
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"os"

	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/internal/regular"
	"pawl/internal/trust"
	"pawl/store"
)

// base is what every command needs: the settings and the database.
type base struct {
	world    world
	folders  settings.Folders
	settings settings.Settings
	models   *models.Set
	store    *store.Store
	log      *os.File
}

// openBase reads the settings and opens the database. Close it.
func openBase(ctx context.Context, w world, options store.Options) (*base, error) {
	b, err := newBase(w)
	if err != nil {
		return nil, err
	}
	if b.store, err = store.Open(ctx, b.folders.Database(), options); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// newBase is a base without the database. Close it.
func newBase(w world) (*base, error) {
	if err := settings.CheckHome(); err != nil {
		return nil, asUsage(err)
	}
	b := &base{world: w, folders: settings.FindFolders()}
	var pace script.Pace
	var err error
	if b.settings, pace, err = loadSettings(b.folders.ConfigFile(), w.environ); err != nil {
		return nil, asUsage(err)
	}
	b.models = models.New(w.environ, secretsIn(w.environ), pace).With(b.settings.Models)
	if !w.logged {
		b.startLog()
	}
	return b, nil
}

// Close closes the database and the log.
func (b *base) Close() {
	if b.store != nil {
		if err := b.store.Close(); err != nil {
			slog.Error("close the database", "error", err)
		}
	}
	if b.log != nil {
		log.SetOutput(io.Discard)
		slog.SetDefault(slog.New(slog.DiscardHandler))
		_ = b.log.Close() // nothing is left that could report it
	}
}

// startLog sends slog and the standard log, which libraries write to, into a
// file. Where there can be none they write to nothing: never to the screen.
func (b *base) startLog() {
	to := io.Discard
	if err := os.MkdirAll(b.folders.State, 0o700); err == nil {
		if b.world.crash.Open() {
			b.world.leash.TellCrashFile(b.world.crash)
		}
		host.Rotate(b.folders.LogFile())
		file, err := regular.OpenWith(os.OpenFile, b.folders.LogFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			b.log, to = file, b.models.Hide().Writer(file)
		}
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(to, nil)))
	log.SetOutput(to)
	keepPrivate(b.folders.State, b.folders.Data)
}

// keepPrivate takes from others what rights they have to folders of Pawl's own: one
// that was there before, or was copied, may have come with some.
func keepPrivate(folders ...string) {
	for _, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue // what is wrong with one is said where it is used
		}
		if err := os.Chmod(folder, info.Mode().Perm()&^0o077); err != nil {
			slog.Warn("other users can read one of Pawl's folders", "folder", folder, "error", err)
		}
	}
}

// loadSettings reads the user's settings, and says all that is wrong with them: what
// the settings know themselves, and what only those know who use them.
func loadSettings(file string, environ []string) (settings.Settings, script.Pace, error) {
	s, err := settings.Load(file, environ)
	pace, slow := script.ParsePace(orDefault(s.Demo.Pace, "1x"))
	if slow != nil {
		where := file
		if models.Lookup(environ)("PAWL_DEMO_PACE") != "" {
			where = "PAWL_DEMO_PACE"
		}
		slow = &settings.Error{Where: where, Message: "demo.pace: " + slow.Error()}
	}
	return s, pace, settings.All(err, slow, checkFetch(s, file, environ), models.CheckTable(s.Models), checkHooks(s.Programs))
}

// asUsage makes a mistake in the settings one of usage.
func asUsage(err error) error {
	if wrong := (*settings.Error)(nil); errors.As(err, &wrong) {
		return host.Usage(err.Error())
	}
	return err
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// facts are those that trust is remembered by.
func (b *base) facts() trust.Facts {
	if b.store == nil {
		return trust.KeptIn(nil, nil)
	}
	return trust.KeptIn(b.store, b.world.verdicts)
}
