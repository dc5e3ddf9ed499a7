package lifecycle

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"pawl/internal/words"
)

// Kind says what works in a session.
type Kind string

// The kinds of session. Empty is one that a model drives.
const KindShell Kind = "shell" // a command in the background, or one of the user's own

// A shell is a session of one run, whose worker is a command instead of a model: it has no
// transcript, takes no message, holds no slot and is never queued. In all else it is like any
// run: records, stop, card, one notification to its parent. A shell that a subagent started
// ends with that subagent's run.
//
// The user's own command is a shell too. No model has started it, so no model can read or stop it, it
// ends with no run of a subagent, and it counts against no limit; a session has one at a time. Its
// notification wakes nobody: it is delivered as soon as its session is idle, else at the next step.

// NoOutput stands for the output of a command that wrote nothing.
const NoOutput = "(no output)"

// ErrShellLimit reports a shell beyond the limit. Its text is for the model, and
// names those that run.
var ErrShellLimit = errors.New("too many background shells")

var (
	errShellTakesNoMessage = errors.New("a background shell takes no messages: it has nothing to read from")
	errShellNotResumable   = errors.New("a background shell cannot be continued: start its command again")
)

// Shell reports whether this is a command, of a model in the background or of the user.
func (r Run) Shell() bool { return r.Kind == KindShell }

// UserShell reports whether this is a command of the user's own.
func (r Run) UserShell() bool { return r.Kind == KindShell && r.From == FromUser }

// StartShell starts a command in the background, for any session. Of spec it reads
// Call, Command, Description and Limit; the folder is that of the calling run. It
// returns once the run is on disk.
func (sc *Scope) StartShell(spec Spec) (Run, error) {
	sc.s.mu.Lock()
	c, id, err := sc.startShell(spec)
	sc.s.mu.Unlock()
	return sc.saved(c, id, err)
}

// Outlasts reports whether a shell that is started now may outlast the calling session's
// work. A subagent's ends with its run, and a root's is stopped at the end if nobody is there.
func (sc *Scope) Outlasts() bool { return sc.parent == sc.t.root && sc.s.options.Attended }

func (sc *Scope) startShell(spec Spec) (*change, RunID, error) {
	if err := sc.stopped(); err != nil {
		return nil, "", err
	}
	d := sc.s.begin(sc.t)
	if err := d.admitShell(); err != nil {
		return nil, "", err
	}
	id, err := sc.s.spawn(d, NewSessionID(), Spec{
		Kind: KindShell, Type: string(KindShell), Root: sc.t.root, Parent: sc.parent, ParentRun: sc.run,
		Call: spec.Call, Trigger: TriggerAgent, Folder: sc.like.Folder, Background: true,
		Command: spec.Command, Description: cmp.Or(spec.Description, words.FirstLine(spec.Command)), Limit: spec.Limit, Closed: spec.Closed,
	})
	if err != nil {
		return nil, "", err
	}
	return d.commit(), id, nil
}

// admitShell refuses a shell beyond the limit.
func (d *tx) admitShell() error {
	if d.s.closing {
		return ErrClosing
	}
	var running []*Run
	for run := range d.current() {
		if run.Shell() && !run.UserShell() && !run.State.Terminal() {
			running = append(running, run)
		}
	}
	if len(running) < d.s.options.Limits.Shells {
		return nil
	}
	return fmt.Errorf("%w: %d run, which is the limit of this session with its subagents. This is not a mistake of yours. "+
		"Do not retry; wait until one ends, or end your own with shell_kill. They are %s",
		ErrShellLimit, len(running), holders("shell", running, d.time))
}

var (
	errNoCommand   = errors.New("! needs a command behind it")
	errShellInside = errors.New("a command is at work here, not an agent: go back first")
)

// runShell starts a command of the user's own, in the folder of the session.
func (s *Supervisor) runShell(c RunShell) (Reply, *change, error) {
	t, err := s.treeOf(c.Session)
	if err != nil {
		return Reply{}, nil, err
	}
	d := s.begin(t)
	last := d.Latest(c.Session) // none before the root's first
	switch {
	case s.closing:
		return Reply{}, nil, ErrClosing
	case strings.TrimSpace(c.Command) == "":
		return Reply{}, nil, errNoCommand
	case last.Shell():
		return Reply{}, nil, errShellInside
	}
	if other := d.UserShell(c.Session); other.ID != "" {
		return Reply{}, nil, fmt.Errorf("your command %q still runs here: stop it first, or wait until it has ended", other.Description)
	}
	folder := t.seed.Folder
	if c.Session != t.root {
		folder = last.Folder
	}
	id, err := s.spawn(d, NewSessionID(), Spec{
		Kind: KindShell, Type: string(KindShell), Root: t.root, Parent: c.Session, ParentRun: last.ID,
		Trigger: TriggerUser, From: FromUser, Folder: folder, Background: true,
		Command: c.Command, Description: words.FirstLine(c.Command),
	})
	if err != nil {
		return Reply{}, nil, err
	}
	return Reply{Runs: []Run{d.run(id)}}, d.commit(), nil
}

// UserShell is the command of the user's own that runs for a session; the zero Run if none does.
func (l *Ledger) UserShell(session SessionID) Run {
	for run := range l.current() {
		if run.Parent == session && run.UserShell() && !run.State.Terminal() {
			return *run
		}
	}
	return Run{}
}

// tellUserShells puts the ends of the user's own commands that a session is still to be told into its
// transcript, if it is idle. They stand there before what its user writes next.
func (d *tx) tellUserShells(session SessionID) error {
	last := d.Latest(session)
	if !last.State.Terminal() { // it has a step to come, or has never begun
		return nil
	}
	for _, run := range d.Owed(session) {
		if !run.UserShell() {
			continue
		}
		if err := d.tellEnd(run, last, last.Step, 0); err != nil {
			return err
		}
	}
	return nil
}

// verdict decides how this run ends. The output of a command is its result, however it ended.
func (r Run) verdict(cause error, out Outcome) Ended {
	if r.Shell() && strings.TrimSpace(out.Text) == "" {
		out.Text = NoOutput
	}
	end := verdict(cause, out, r.Partial)
	end.ExitCode, end.Worktree = out.ExitCode, out.Worktree
	if r.Shell() {
		end.Result = out.Text
	}
	return end
}

// of says whether a subagent's run started this shell.
func (r Run) of(parent Run) bool {
	return r.Shell() && !r.UserShell() && parent.Subagent() && r.ParentRun == parent.ID
}

// forgotten reports whether this shell ended with the run that started it, so that its end is
// reported to nobody.
func (r Run) forgotten() bool {
	withdrawn := r.Notification != nil && r.Notification.WithdrawnBy == ByRunEnd
	return r.Shell() && !r.UserShell() && r.State.Terminal() && (r.Cause == CauseRunEnd || withdrawn)
}

// endShells ends the shells of a subagent's run. It returns the last change, nil
// without any. The lock is held.
func (s *Supervisor) endShells(t *tree, h *handle) *change {
	parent := *h.run
	if !parent.Subagent() {
		return nil
	}
	_, last := s.stopOpen(t, CauseRunEnd, func(r Run) bool { return r.of(parent) && r.StopRequestedAt.IsZero() })
	return last
}

// cancelShells stops the shells of a subagent's run that was given up, without a record of the
// request. The lock is held.
func (t *tree) cancelShells(h *handle) {
	for _, id := range t.open {
		if shell := t.runs[id]; shell.run.of(*h.run) {
			shell.cancel(&Stopped{Cause: CauseRunEnd})
		}
	}
}

// forgetShells withdraws what a subagent's run was still to be told of its shells,
// where both have ended. ended is the one that did so last.
func (d *tx) forgetShells(ended Run) error {
	parent := ended
	if ended.Shell() {
		parent = d.run(ended.ParentRun)
	}
	if !d.run(parent.ID).State.Terminal() {
		return nil
	}
	for _, run := range d.Owed(parent.Session) {
		if !run.of(parent) {
			continue
		}
		if err := d.apply(run.Session, run.ID, NotificationWithdrawn{By: ByRunEnd}); err != nil {
			return err
		}
	}
	return nil
}

// lastLineOfShell is the line about an ended shell: how it ended and, if it ended by itself,
// its last line of output.
func (r Run) lastLineOfShell() string {
	line := r.Status().Words(ForCard)
	if r.Error != nil {
		line = r.Error.Message
	}
	itself := r.State == StateCompleted || r.Error != nil && r.ExitCode != nil && *r.ExitCode != 0
	if itself && r.Result != NoOutput {
		return line + " · " + words.LastLine(r.Result)
	}
	return line
}
