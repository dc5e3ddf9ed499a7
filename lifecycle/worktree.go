package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"pawl/internal/words"
)

// Worktree is the git worktree that a run with IsolationWorktree worked in, at the run's end.
// If the process died before, there is none: the run's Folder and Branch say where it was.
type Worktree struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
	Base   string `json:"base"` // the commit that it began at
	// Kept says that it is still there, with its branch. Otherwise nothing was changed in it,
	// and both were removed.
	Kept bool `json:"kept"`
	// What differs from Base, committed or not: whole files, and lines in them. Ignored
	// files do not count.
	Files   int `json:"files"`
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Commits int `json:"commits,omitempty"`
	// Behind counts files that the checkout it was made from had changed and not
	// committed: they were not in it.
	Behind int `json:"behind,omitempty"`
	// Why says why its changes are not known; it is then kept.
	Why string `json:"why,omitempty"`
}

// Summary describes it in one line, for models and people.
func (w Worktree) Summary() string {
	if !w.Kept {
		return fmt.Sprintf("nothing was changed, so it is removed with its branch %s", w.Branch)
	}
	if w.Why != "" {
		return fmt.Sprintf("branch %s, kept in %s: %s", w.Branch, w.Path, w.Why)
	}
	committed := "not committed"
	if w.Commits > 0 {
		committed = words.Count(w.Commits, "commit")
	}
	return fmt.Sprintf("branch %s, %s +%d −%d, %s, kept in %s", w.Branch, words.Count(w.Files, "file"), w.Added, w.Removed, committed, w.Path)
}

// RecordLanded records, on the newest run of a subagent's session, that changes were landed, and
// returns when that is on disk. tell is a text for its parent's model, empty for none: it stands in
// the transcript at once if the parent is idle, else from its next step on or, if none comes, from
// the end of its run. It is safe from any goroutine.
func (s *Supervisor) RecordLanded(ctx context.Context, session SessionID, landed Landed, tell string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.mu.Lock()
	c, err := s.recordLanded(session, landed, tell)
	s.mu.Unlock()
	return saved(c, err)
}

func (s *Supervisor) recordLanded(session SessionID, landed Landed, tell string) (*change, error) {
	t, m, err := s.member(session)
	if err != nil {
		return nil, err
	}
	d := s.begin(t)
	run := d.Latest(m.id)
	if d.parentWorks(run) {
		landed.Tell = tell
	}
	if err := d.apply(run.Session, run.ID, landed); err != nil {
		return nil, err
	}
	if landed.Tell == "" {
		d.tellParent(run, tell)
	}
	return d.commit(), nil
}

// parentWorks reports whether the model of a run's parent is told of a change at its next step, as it
// must not be told between a call and its result. The lock is held.
func (d *tx) parentWorks(run Run) bool {
	parent := d.Latest(run.Parent)
	return parent.ID != "" && !parent.State.Terminal()
}

// tellParent gives the idle model of a run's parent a text of Pawl's own. The lock is held.
func (d *tx) tellParent(run Run, text string) {
	if parent := d.Latest(run.Parent); text != "" && parent.ID != "" {
		d.entries = append(d.entries, userEntry(parent.Session, parent.ID, Said{From: FromPawl, Text: text}))
	}
}

// tell puts texts of Pawl's own into the transcript of a run's session. The lock is held.
func (d *tx) tell(run Run, texts []string) {
	for _, text := range texts {
		d.entries = append(d.entries, userEntry(run.Session, run.ID, Said{From: FromPawl, Text: text}))
	}
}

// asidesOf is what the model of a session is still to be told.
func (l *Ledger) asidesOf(session SessionID) []string {
	if session != l.root {
		return nil
	}
	return l.asides
}

// hear keeps what the root's model is still to be told, which its next step does, or the end of its run.
func (l *Ledger) hear(rec Record) {
	switch e := rec.Event.(type) {
	case Landed:
		l.keepAside(e.Tell)
	case Rewound:
		l.keepAside(e.Tell)
	case StepStarted, Ended:
		if rec.Session == l.root {
			l.asides = nil
		}
	default:
	}
}

func (l *Ledger) keepAside(text string) {
	if text != "" {
		l.asides = append(slices.Clip(l.asides), text)
	}
}

// recallAsides finds in the log what the root's model is still to be told, if its run was left open.
func (t *tree) recallAsides(ctx context.Context, journal Journal) error {
	var after Seq // of the run before that: nothing is older
	open := false
	for run := range t.Runs() {
		if run.Session != t.root {
			continue
		}
		if open = !run.State.Terminal(); !open {
			after = run.Seq
		}
	}
	for open {
		records, err := journal.Records(ctx, t.root, after, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			t.hear(rec)
			after = rec.Seq
		}
		open = len(records) > 0
	}
	t.saved.asides = t.asides
	return nil
}
