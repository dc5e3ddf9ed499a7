package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
)

// closing is how long Pawl waits on its way out for what it stopped: the 2 s that
// a stop may take, and a second to record it.
const closing = 3 * time.Second

// base is what every command needs: the settings and the database.
type base struct {
	world    world
	folders  settings.Folders
	settings settings.Settings
	models   *models
	store    *store.Store
	log      *os.File
}

// openBase reads the settings and opens the database. Close it.
func openBase(ctx context.Context, w world, options store.Options) (*base, error) {
	b := &base{world: w, folders: settings.FindFolders()}
	var err error
	if b.settings, err = settings.Load(b.folders.ConfigFile(), w.environ); err != nil {
		return nil, asUsage(err)
	}
	pace, err := script.ParsePace(orDefault(b.settings.Demo.Pace, "1x"))
	if err != nil {
		return nil, &usageError{fmt.Sprintf("demo.pace: %v", err)}
	}
	b.models = newModels(w.environ, pace)
	b.startLog()
	if b.store, err = store.Open(ctx, b.folders.Database(), options); err != nil {
		b.Close()
		return nil, err
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
		log.SetOutput(os.Stderr)
		slog.SetDefault(slog.New(slog.DiscardHandler))
		_ = b.log.Close() // nothing is left that could report it
	}
}

// startLog sends slog and the standard log, which libraries write to, into a
// file. Where there can be none they write to nothing: never to the screen.
func (b *base) startLog() {
	var to io.Writer = io.Discard
	if err := os.MkdirAll(b.folders.State, 0o700); err == nil {
		file, err := os.OpenFile(b.folders.LogFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			b.log, to = file, file
		}
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(to, nil)))
	log.SetOutput(to)
}

// asUsage makes a mistake in the settings one of usage.
func asUsage(err error) error {
	var wrong *settings.Error
	if errors.As(err, &wrong) {
		return &usageError{wrong.Error()}
	}
	return err
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// house is one root session with all that drives it.
type house struct {
	*base
	supervisor *lifecycle.Supervisor
	snapshot   lifecycle.Snapshot
	root       lifecycle.SessionID
	model      string
	mode       permission.Mode
	around     agent.Surroundings
	release    func()
}

// attendance says who is there while the session runs.
type attendance struct {
	attended    bool // somebody can answer questions
	autoResumes int  // 0: the setting's
}

// openHouse joins the rooms: settings, store, provider, loop, supervisor.
func openHouse(ctx context.Context, w world, c *chatCommand, who attendance) (*house, error) {
	b, err := openBase(ctx, w, store.Options{})
	if err != nil {
		return nil, err
	}
	h := &house{base: b, around: surroundings(w.folder)}
	if err := h.open(ctx, c, who); err != nil {
		b.Close()
		return nil, err
	}
	return h, nil
}

func (h *house) open(ctx context.Context, c *chatCommand, who attendance) error {
	if err := h.choose(ctx, c); err != nil {
		return err
	}
	release, err := h.store.Lock(h.root)
	if err != nil {
		return err
	}
	limits := h.settings.Limits()
	if who.autoResumes != 0 {
		limits.AutoResumes = who.autoResumes
	}
	loop := agent.Loop{Resolve: h.models.Resolve, Entries: h.store.Entries, Kit: h.kit, Gate: &agent.Gate{}}
	h.supervisor = lifecycle.New(lifecycle.Options{
		Journal: h.store, Work: loop.Work, Limits: limits, Attended: who.attended,
		AskInBackground: h.settings.Subagents.BackgroundPermissions == "ask",
	})
	seed := lifecycle.Spec{Type: agent.TypeGeneral, Model: h.model, Folder: h.world.folder}
	h.snapshot, err = h.supervisor.Open(ctx, h.root, seed)
	if err != nil {
		h.shut(lifecycle.CauseProcessEnd)
		release()
		return err
	}
	h.release = release
	return nil
}

// choose settles what was left open: the session, the model and the mode.
func (h *house) choose(ctx context.Context, c *chatCommand) error {
	var err error
	if h.mode, err = permission.ParseMode(orDefault(orDefault(c.Mode, h.settings.PermissionMode), string(permission.Default))); err != nil {
		return &usageError{err.Error()}
	}
	if h.root, err = h.session(ctx, c); err != nil {
		return err
	}
	last, err := h.store.LastModel(ctx)
	if err != nil {
		return err
	}
	h.model = h.models.choose(c.Model, h.settings.Model, last)
	if err := h.models.check(h.model); err != nil {
		return &usageError{err.Error()}
	}
	return nil
}

// session finds the session to go on with, or begins one.
func (h *house) session(ctx context.Context, c *chatCommand) (lifecycle.SessionID, error) {
	switch {
	case c.Session != "":
		found, err := h.store.Session(ctx, c.Session)
		if err != nil {
			return "", &usageError{err.Error()}
		}
		return found.Root, nil
	case c.Continue:
		found, err := h.store.Sessions(ctx, store.Filter{Folder: h.world.folder, RootsOnly: true, Limit: 1})
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "", &usageError{"there is no session of this folder to go on with: start one with pawl"}
		}
		return found[0].ID, nil
	}
	return lifecycle.NewSessionID(), nil
}

// kit is agent.Loop's: what a run works with.
func (h *house) kit(_ context.Context, run lifecycle.Run) (agent.Kit, error) {
	workspace, err := tools.NewWorkspace(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	types := agent.BuiltinTypes()
	kit := agent.Kit{
		Tools: tools.Working(workspace, &tools.Launcher{Owner: run.ID}),
		Close: func() {
			if err := workspace.Close(); err != nil {
				slog.Error("close the workspace", "folder", run.Folder, "error", err)
			}
		},
	}
	mode := h.mode
	if run.Subagent() {
		kind, known := agent.FindType(types, run.Type)
		if !known {
			kind = agent.Type{Name: run.Type} // an older session's: it gets what general gets
		}
		if kind.ReadOnly {
			mode = permission.Plan
		}
		kit.Tools, kit.MaxSteps = tools.ForType(kind, kit.Tools), kind.MaxSteps
		kit.System = agent.Prompt(&kind, h.around)
	} else {
		kit.Tools = append(kit.Tools, tools.Delegation(types, h.store.Entries)...)
		kit.System = agent.Prompt(nil, h.around)
	}
	kit.Permit = func(effect agent.Effect) (allow, ask bool, reason string) {
		decision, reason := permission.Decide(mode, effect)
		return decision == permission.Allow, decision == permission.Ask, reason
	}
	return kit, nil
}

// shut ends everything with this cause.
func (h *house) shut(cause lifecycle.Cause) {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if err := h.supervisor.Close(ctx, cause); err != nil {
		slog.Error("close the session", "error", err)
	}
}

// Close ends the session's runs for this cause, and lets go of it.
func (h *house) Close(cause lifecycle.Cause) {
	h.shut(cause)
	h.release()
	h.base.Close()
}

// exportPath is where a key puts an export: in the folder, by its session's name.
func (h *house) exportPath(name string) string { return filepath.Join(h.world.folder, name) }
