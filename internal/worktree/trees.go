package worktree

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"pawl/lifecycle"
	"pawl/tools/git"
)

// Trees are the git worktrees of a session's subagents.
//
//	agent call ─► Plan: may git be run, is there a commit, which place and branch
//	run begins ─► begin: its note, then git makes it; a resumed agent finds its own
//	run ends   ─► end: what is in it; nothing: worktree, branch and note are removed
//	start      ─► sweep: those that a dead Pawl left, by their notes
//
// Only one of them is created or removed at a time: otherwise git's own locks would make the
// others fail.
type Trees struct {
	Options
	turn    chan struct{} // a semaphore of one: holding its value is having the turn
	stop    context.CancelFunc
	working map[string]bool // by path; guarded by the turn
}

const (
	leavingStopped = 1500 * time.Millisecond // to examine the worktree of a run that was stopped: a stop takes 2 s at most
	leavingEnded   = time.Minute             // to examine that of a run that has ended by itself
)

// Options are what worktrees need of the session that they belong to.
type Options struct {
	Session lifecycle.SessionID
	Folder  string // the session's folder
	Below   string // the folder of all sessions' worktrees

	Dirty bool // they begin with what is not committed too
	// Setup runs what the user wants run in each new worktree before the subagent starts, and tells
	// latest the newest line that it writes. Its error is a line for the parent. Nil: nothing.
	Setup func(ctx context.Context, run lifecycle.Run, latest func(line string)) error

	// Repository returns git in the session's folder, for a command of the run owner, which may
	// be empty. The error says why git is not run there.
	Repository func(owner lifecycle.RunID) (git.Repository, error)
	// Landed reports whether the log of a session has a landing. Nil: none has.
	Landed func(ctx context.Context, session lifecycle.SessionID, operation lifecycle.OperationID) (bool, error)
	// Lock keeps others from opening a session until release is called.
	Lock func(session lifecycle.SessionID) (release func(), err error)
	// Go runs work that the end of the session waits for.
	Go func(work func())
}

// New returns the worktrees of a session, which nobody else may have open. Start removes what earlier
// sessions left.
func New(options Options) *Trees {
	git.RemoveScratch(filepath.Join(options.Below, string(options.Session)))
	return &Trees{Options: options, turn: make(chan struct{}, 1), stop: func() {}, working: map[string]bool{}}
}

// Stop ends the sweep that Start began; it does not wait for it.
func (t *Trees) Stop() { t.stop() }

// takeTurn waits for the turn and returns the function that gives it back.
func (t *Trees) takeTurn(ctx context.Context) (func(), error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Plan implements tools.PlanWorktree: the folder and branch for a new worktree, or why there can
// be none.
func (t *Trees) Plan(ctx context.Context, description string) (folder, branch string, err error) {
	return t.plan(ctx, description, t.Dirty)
}

// PlanAway is Plan for a run on another machine, which begins with what is not committed too.
func (t *Trees) PlanAway(ctx context.Context, description string) (folder, branch string, err error) {
	return t.plan(ctx, description, true)
}

func (t *Trees) plan(ctx context.Context, description string, dirty bool) (folder, branch string, err error) {
	repository, err := t.Repository("")
	if err != nil {
		return "", "", err
	}
	start, err := repository.StartPoint(ctx, dirty)
	if err != nil {
		return "", "", err
	}
	within, err := below(start.Top, t.Folder)
	if err != nil {
		return "", "", err
	}
	name := treeName(description)
	path := filepath.Join(t.folder(), name)
	return filepath.Join(path, within), "pawl/" + name, nil
}

func (t *Trees) folder() string {
	return filepath.Join(t.Below, string(t.Session))
}

// below is the relative path from a checkout's top to a folder in it, with symbolic links of the
// folder resolved.
func below(top, folder string) (string, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	way, err := filepath.Rel(top, real)
	if err == nil && !filepath.IsLocal(way) {
		err = fmt.Errorf("%s is not in its checkout %s", folder, top)
	}
	return way, err
}

// longestName limits the words in the name of a worktree, in bytes.
const longestName = 30

// treeName names a worktree and its branch: by the description, for people, and a random suffix.
func treeName(description string) string {
	words := strings.FieldsFunc(strings.ToLower(description), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	name := ""
	for _, word := range append(words, "agent")[:max(1, len(words))] {
		if len(name)+1+len(word) > longestName && name != "" {
			break
		}
		name += word[:min(len(word), longestName)] + "-"
	}
	var tag [3]byte
	_, _ = rand.Read(tag[:]) // it never fails
	return name + hex.EncodeToString(tag[:])
}

// pathOf is the path of the worktree that contains a run's folder.
func (t *Trees) pathOf(folder string) (string, error) {
	way, err := filepath.Rel(t.folder(), folder)
	if err != nil || !filepath.IsLocal(way) || way == "." {
		return "", fmt.Errorf("%s is not a worktree of this session", folder)
	}
	name, _, _ := strings.Cut(way, string(filepath.Separator))
	return filepath.Join(t.folder(), name), nil
}

// errSlow is why examining or removing a worktree was given up.
var errSlow = errors.New("git took too long")

// Work runs a worker in the run's own worktree.
func (t *Trees) Work(ctx context.Context, port *lifecycle.Port, work lifecycle.Worker) lifecycle.Outcome {
	port.Report(lifecycle.Progress{Activity: "making its git worktree"})
	run := port.Run()
	note, repository, err := t.begin(ctx, run)
	if err != nil {
		return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}}
	}
	out := t.prepared(ctx, port, note, work)
	limit := leavingEnded
	if ctx.Err() != nil {
		limit = leavingStopped
	}
	leaving, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), limit, errSlow)
	defer cancel()
	left := t.end(leaving, note, repository, port.ShellsAtWork())
	out.Worktree = &left
	return out
}

// prepared runs a worker, where that is still to be done after what the user wants run in a new
// worktree. If that fails, so has the run.
func (t *Trees) prepared(ctx context.Context, port *lifecycle.Port, note Note, work lifecycle.Worker) lifecycle.Outcome {
	if note.Unprepared && t.Setup != nil {
		activity := "setting up its worktree"
		port.Report(lifecycle.Progress{Activity: activity})
		err := t.Setup(ctx, port.Run(), func(line string) {
			port.Report(lifecycle.Progress{Activity: activity + ": " + line})
		})
		if err == nil {
			note.Unprepared = false
			err = note.Save()
		}
		if err != nil {
			return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}}
		}
		port.Report(lifecycle.Progress{})
	}
	return work(ctx, port)
}
