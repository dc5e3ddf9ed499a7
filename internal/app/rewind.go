package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"pawl/internal/base"
	"pawl/internal/regular"
	"pawl/internal/rewind"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/tools/apply"
)

// ErrNothingToRewind is the error of a rewind that would change nothing.
var ErrNothingToRewind = errors.New("nothing was taken back: no file has to be put back")

// RewindChoice says what is taken back, and to where.
type RewindChoice struct {
	To           lifecycle.Seq // of a point
	Conversation bool
	Files        bool
	Only         lifecycle.SessionID // the subagent whose files alone are taken back
	Chosen       []string            // files that are put back although somebody else has changed them
}

// RewindPoints are the points to which the session can be taken back, the newest first. It is safe from
// any goroutine.
func (h *Session) RewindPoints(ctx context.Context) ([]rewind.Point, error) {
	log, err := h.changesOfLog(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.EvalSymlinks(h.World.Folder)
	return rewind.Points(log, folder), err
}

// RewindPlan works out what taking files back to before a point would do, of the session or of one
// subagent alone. Nothing is changed. It is safe from any goroutine.
func (h *Session) RewindPlan(ctx context.Context, to lifecycle.Seq, only lifecycle.SessionID) (rewind.Plan, error) {
	log, err := h.changesOfLog(ctx)
	if err != nil {
		return rewind.Plan{}, err
	}
	if _, err := pointAt(log, to); err != nil {
		return rewind.Plan{}, err
	}
	return h.rewindPlan(log, to, only)
}

// Rewind takes the session back as it was chosen, and returns what is recorded of it. A BusyError says
// that a run works on what is taken back; on any error nothing is changed. It is safe from any
// goroutine.
func (h *Session) Rewind(ctx context.Context, choice RewindChoice) (lifecycle.Rewound, error) {
	h.placing.Lock()
	defer h.placing.Unlock()
	log, err := h.changesOfLog(ctx)
	if err != nil {
		return lifecycle.Rewound{}, err
	}
	point, err := pointAt(log, choice.To)
	if err == nil {
		err = choice.check()
	}
	if err != nil {
		return lifecycle.Rewound{}, err
	}
	rewound := lifecycle.Rewound{
		Operation: lifecycle.NewOperationID(), To: choice.To, Prompt: words.FirstLine(point.Text),
		Conversation: choice.Conversation, Only: choice.Only,
	}
	if choice.Files {
		plan, err := h.rewindPlan(log, choice.To, choice.Only)
		if err == nil {
			plan, err = plan.With(choice.Chosen)
		}
		if err != nil {
			return lifecycle.Rewound{}, err
		}
		rewound.Folder, rewound.Files, rewound.Skipped = plan.Folder, plan.Changes(), plan.Skipped()
		if len(rewound.Files) == 0 && !choice.Conversation {
			return lifecycle.Rewound{}, ErrNothingToRewind
		}
	}
	if err := h.takeBack(ctx, rewound, choice, log); err != nil {
		return rewound, err
	}
	if rewound.Conversation {
		h.restoreTodo(ctx, log, rewound.To)
	}
	h.forgetSeen(log, rewound)
	return rewound, nil
}

func (c RewindChoice) check() error {
	switch {
	case !c.Conversation && !c.Files:
		return system.Usage("take back the conversation, the files, or both")
	case c.Only != "" && c.Conversation:
		return system.Usage("only a subagent's files can be taken back, not its conversation")
	case len(c.Chosen) > 0 && !c.Files:
		return system.Usage("files are chosen, but only the conversation is taken back")
	}
	return nil
}

// changesOfLog is the log of the session, as far as it is about files.
func (h *Session) changesOfLog(ctx context.Context) (*files.Log, error) {
	if _, err := h.Opening.Wait(ctx); err != nil {
		return nil, err
	}
	return readLog(ctx, h.Base, h.Root)
}

// readLog is the log of a session, as far as it is about files.
func readLog(ctx context.Context, b *base.Base, root lifecycle.SessionID) (*files.Log, error) {
	records, err := b.Store.ChangeRecords(ctx, root)
	log := new(files.Log)
	for _, rec := range records {
		log.Apply(rec)
	}
	return log, err
}

func pointAt(log *files.Log, seq lifecycle.Seq) (files.Point, error) {
	points := log.Points()
	at := slices.IndexFunc(points, func(p files.Point) bool { return p.Seq == seq })
	if at < 0 {
		return files.Point{}, system.Usage(fmt.Sprintf("record %d is no prompt, landing or rewind of this session", seq))
	}
	return points[at], nil
}

func (h *Session) rewindPlan(log *files.Log, to lifecycle.Seq, only lifecycle.SessionID) (rewind.Plan, error) {
	folder, err := h.rewindFolder(only)
	if err != nil {
		return rewind.Plan{}, err
	}
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return rewind.Plan{}, fmt.Errorf("take back files in %s: %w", folder, err)
	}
	defer root.Close()
	disk := rewind.Disk{
		Read: func(path string) (lifecycle.FileState, error) { return apply.Look(root, path) },
		Has:  h.Files.Has,
	}
	return rewind.Make(folder, to, only, log.TakeBack(folder, to, only), disk), nil
}

// rewindFolder is the folder whose files are taken back: the session's, or that of a subagent.
func (h *Session) rewindFolder(only lifecycle.SessionID) (string, error) {
	folder := h.World.Folder
	if only != "" {
		snapshot, err := h.Supervisor.Snapshot(h.Root)
		if err != nil {
			return "", err
		}
		run, known := snapshot.Latest(only)
		if !known || !run.Subagent() {
			return "", system.Usage(fmt.Sprintf("session %s has no subagent %s", h.Root, only))
		}
		if run.Apart() {
			folder = run.Folder
		}
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", fmt.Errorf("take back files in %s: the folder is gone or cannot be read", folder)
	}
	return real, nil
}

// takeBack puts the files in place and records the rewind, or does neither.
func (h *Session) takeBack(ctx context.Context, rewound lifecycle.Rewound, choice RewindChoice, log *files.Log) error {
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return err
	}
	keep, past := 0, rewind.Past{Began: log.Began}
	if rewound.Conversation {
		keep, err = h.entriesBefore(ctx, rewound.To)
		if err == nil {
			past.Ended, err = h.endedSince(ctx, rewound.To)
		}
		if err != nil {
			return err
		}
	}
	tell := rewind.Tell(rewound, choice.Files, past, snapshot.Runs)
	if err := h.Supervisor.BusyWith(h.Root, rewound); err != nil { // before any file is touched
		return err
	}
	record := func(ctx context.Context) error {
		return h.Supervisor.RecordRewound(ctx, h.Root, rewound, keep, tell)
	}
	if len(rewound.Files) == 0 {
		return record(ctx)
	}
	return h.putBack(ctx, rewound, snapshot.Seq, record)
}

// putBack puts the files in place.
func (h *Session) putBack(ctx context.Context, rewound lifecycle.Rewound, after lifecycle.Seq, record func(context.Context) error) error {
	set := apply.Set{Operation: rewound.Operation, Folder: rewound.Folder, After: after}
	for _, f := range rewound.Files {
		set.Files = append(set.Files, apply.File{Path: f.Path, Expect: f.Before, Want: f.After})
	}
	return h.byPerson(rewound.Folder, rewound.Files, func() error {
		_, err := apply.Run(ctx, base.JournalOf(h.Base, h.Root), h.Files, set, record)
		return err
	})
}

// forgetSeen has the parent's model read again what it would take for known: files that were put back
// and, if its conversation was taken back, all that were changed since.
func (h *Session) forgetSeen(log *files.Log, rewound lifecycle.Rewound) {
	for _, f := range rewound.Files {
		if rewound.Folder == h.Workspace.Folder() {
			h.Workspace.Outdate(f.Path)
		}
	}
	if !rewound.Conversation {
		return
	}
	h.Workspace.Forget()
	for _, c := range log.Changes() {
		if c.Seq >= rewound.To && c.Folder == h.Workspace.Folder() {
			h.Workspace.Outdate(c.Path)
		}
	}
}
