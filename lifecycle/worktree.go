package lifecycle

import (
	"context"
	"fmt"

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
	if err := d.apply(run.Session, run.ID, landed); err != nil {
		return nil, err
	}
	d.tellParent(run, tell)
	return d.commit(), nil
}

// tellParent gives the parent's model of a run a text of Pawl's own. The lock is held.
func (d *tx) tellParent(run Run, text string) {
	parent := d.Latest(run.Parent)
	switch {
	case text == "" || parent.ID == "":
	case parent.State.Terminal():
		d.entries = append(d.entries, userEntry(parent.Session, parent.ID, Said{From: FromPawl, Text: text}))
	default: // not between a call and its result
		m := d.t.members[parent.Session]
		d.then(func() { m.untold = append(m.untold, text) })
	}
}

// tellUntold puts into the transcript of a session what its model is still to be told, as part of
// a step or of the end of its run. The lock is held.
func (d *tx) tellUntold(session SessionID, run RunID) {
	m := d.t.members[session]
	if m == nil || len(m.untold) == 0 {
		return
	}
	told := len(m.untold)
	for _, text := range m.untold {
		d.entries = append(d.entries, userEntry(session, run, Said{From: FromPawl, Text: text}))
	}
	d.then(func() { m.untold = m.untold[told:] })
}
