package lifecycle

import (
	"context"
	"fmt"
)

// RecordRewound records that files or the conversation of a root session were taken back, on the
// newest run of the root or of rewound.Only, and returns when that is on disk. If the conversation
// was, its transcript keeps keep entries for the model; see Rewind. The model is then told the text
// tell, if that is not empty. It is refused with a BusyError while a run of the session works on what is taken back.
// It is safe from any goroutine.
func (s *Supervisor) RecordRewound(ctx context.Context, root SessionID, rewound Rewound, keep int, tell string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.mu.Lock()
	c, err := s.recordRewound(root, rewound, keep, tell)
	s.mu.Unlock()
	return saved(c, err)
}

// BusyWith returns the BusyError with which RecordRewound would refuse a rewind now, or nil. It is safe
// from any goroutine.
func (s *Supervisor) BusyWith(root SessionID, rewound Rewound) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.tree(root)
	if err != nil {
		return err
	}
	if busy := s.begin(t).BusyWith(rewound); busy.ID != "" {
		return &BusyError{Run: busy}
	}
	return nil
}

func (s *Supervisor) recordRewound(root SessionID, rewound Rewound, keep int, tell string) (*change, error) {
	t, err := s.tree(root)
	if err != nil {
		return nil, err
	}
	of := root
	if rewound.Only != "" {
		of = rewound.Only
	}
	d := s.begin(t)
	run := d.Latest(of)
	if run.ID == "" {
		return nil, fmt.Errorf("session %s: %w", of, ErrUnknown)
	}
	if busy := d.BusyWith(rewound); busy.ID != "" {
		return nil, &BusyError{Run: busy}
	}
	if rewound.Only != "" && d.parentWorks(run) {
		rewound.Tell = tell
	}
	if err := d.apply(run.Session, run.ID, rewound); err != nil {
		return nil, err
	}
	switch {
	case rewound.Conversation:
		body := mustJSON(Rewind{Keep: keep, Text: tell})
		d.entries = append(d.entries, Entry{Session: root, Run: run.ID, Kind: EntryRewind, Body: body})
	case rewound.Tell != "": // at its next step
	case rewound.Only != "":
		d.tellParent(run, tell)
	case tell != "":
		d.entries = append(d.entries, userEntry(root, run.ID, Said{From: FromPawl, Text: tell}))
	}
	return d.commit(), nil
}

// BusyError reports a run that works on what is to be taken back.
type BusyError struct{ Run Run }

func (e *BusyError) Error() string {
	who, stop := "the main agent", "stop it first (Esc)"
	switch {
	case e.Run.UserShell():
		who, stop = fmt.Sprintf("your command %q", e.Run.Description), "stop it first (Esc)"
	case e.Run.Shell():
		who, stop = fmt.Sprintf("the shell %q", e.Run.Description), "stop it first (x on its line)"
	case e.Run.Child():
		who, stop = fmt.Sprintf("the subagent %q", e.Run.Description), "stop it first (x on its line)"
	}
	return fmt.Sprintf("%s is at work here: wait until it has ended, or %s", who, stop)
}

// BusyWith is a run that has not ended and works on what a rewind would take back; the zero Run if
// none does. The conversation is the root's alone. All runs without a worktree of their own work
// in the folder of the session.
func (l *Ledger) BusyWith(rewound Rewound) Run {
	apart := rewound.Only != "" && l.Latest(rewound.Only).Apart()
	for run := range l.current() {
		switch {
		case run.State.Terminal():
		case apart:
			if run.Session == rewound.Only || run.Parent == rewound.Only {
				return *run
			}
		case rewound.Conversation && run.Session == l.Root():
			return *run
		case rewound.Folder != "" && !l.inWorktree(*run):
			return *run
		}
	}
	return Run{}
}

// inWorktree reports whether a run works in a worktree: its own or, if it is a shell, that of the
// subagent that started it.
func (l *Ledger) inWorktree(run Run) bool {
	if run.Shell() {
		run = l.Run(run.ParentRun)
	}
	return run.Apart()
}
