package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A remote run is worked at by a process on another machine. It outlives the process that drives its
// session: whoever opens the session next finds it running, and goes on with it.

// ErrLeft is the cause with which the context of a remote run ends when Pawl's process does: the run
// goes on elsewhere. Its worker returns at once and leaves the other end alone; nothing is recorded.
var ErrLeft = errors.New("the run goes on while Pawl is away")

// Placed says that a worker on another machine has taken a remote run. The numbers of the requests
// that its process makes begin anew.
type Placed struct {
	Worker  string `json:"worker"`            // its id
	Machine string `json:"machine"`           // the name of its machine, for people
	Version string `json:"version,omitempty"` // of Pawl there
	Attempt int    `json:"attempt"`           // 1 for the first; each attempt has one worker
	Folder  string `json:"folder,omitempty"`  // that the process works in, on that machine
}

func (Placed) event() {}

// Words say for people who has taken the run.
func (p Placed) Words() string {
	if p.Attempt > 1 {
		return fmt.Sprintf("taken by a worker on %s, attempt %d", p.Machine, p.Attempt)
	}
	return "taken by a worker on " + p.Machine
}

// Placement is where a remote run is worked at.
type Placement struct {
	Worker  string    `json:"worker"` // the fields of Placed
	Machine string    `json:"machine"`
	Version string    `json:"version,omitempty"`
	Attempt int       `json:"attempt"`
	Folder  string    `json:"folder,omitempty"`
	At      time.Time `json:"at"`
	LostAt  time.Time `json:"lost_at,omitzero"` // its worker is gone, and the run is to be placed again
}

// Event is what this is the fold of.
func (p Placement) Event() Placed {
	return Placed{Worker: p.Worker, Machine: p.Machine, Version: p.Version, Attempt: p.Attempt, Folder: p.Folder}
}

// Machine is the name of the machine that works at the run, or did until it ended; empty if none does.
func (r Run) Machine() string {
	if r.Placed == nil || !r.State.Terminal() && !r.Placed.LostAt.IsZero() {
		return ""
	}
	return r.Placed.Machine
}

// Remote reports whether the run's work is done on another machine.
func (r Run) Remote() bool { return r.Isolation == IsolationRemote }

// Apart reports whether the run works in a git worktree of its own, here or on another machine.
func (r Run) Apart() bool { return r.Isolation == IsolationWorktree || r.Remote() }

// Outlives reports whether the run keeps going when its session is ended for this cause.
func (r Run) Outlives(cause Cause) bool { return r.Remote() && cause == CauseProcessEnd }

// place notes a new worker, whose requests are numbered from 1 on.
func (r *Run) place(at time.Time, e Placed) {
	r.Request = 0
	r.Placed = &Placement{Worker: e.Worker, Machine: e.Machine, Version: e.Version, Attempt: e.Attempt, Folder: e.Folder, At: at}
	r.Tools, r.Asked, r.Waiting = nil, nil, nil
}

// displace notes that the worker is gone, and with it its calls and questions.
func (r *Run) displace(at time.Time) {
	if r.Placed != nil {
		lost := *r.Placed
		lost.LostAt = at
		r.Placed = &lost
	}
	r.Tools, r.Asked, r.Waiting = nil, nil, nil
}

// placeable reports whether the run may be placed like this: an attempt is granted to one worker, ever.
func (r Run) placeable(e Placed) bool {
	return r.Remote() && e.Attempt > 0 && (r.Placed == nil || e.Attempt > r.Placed.Attempt)
}

// Place records that a worker has taken the run. It refuses a second worker for an attempt.
func (p *Port) Place(placed Placed) error {
	return p.s.change(p.t, func(d *tx) error {
		if err := d.apply(p.session, p.id, placed); err != nil {
			return err
		}
		return p.s.startWaiting(d) // the questions of the worker before it may have held the parent back
	})
}

// serve makes the change that a request of the run's process asks for, unless it is made already: then
// it is that change. The lock is held.
func (p *Port) serve(do func(*tx) error) (*change, error) {
	d := p.s.begin(p.t)
	d.requester, d.request = p.id, p.request
	if p.request > 0 && p.request <= d.run(p.id).Request {
		return p.h.served, nil
	}
	if err := do(d); err != nil {
		return nil, err
	}
	if p.request > 0 && len(d.entries) > 0 && d.run(p.id).Request < p.request {
		return nil, fmt.Errorf("%w: request %d leaves no record, so it could be served twice", ErrIllegal, p.request)
	}
	c := d.commit()
	if p.request > 0 {
		p.h.served = c
	}
	return c, nil
}

// At is the port of one request of the run's process: what it records of this run carries the number of
// the request, from 1 up. A request of Step, Record or Answered that is recorded already changes nothing
// and is no error; Step then returns no entries.
func (p *Port) At(request int64) *Port {
	numbered := *p
	numbered.request = request
	return &numbered
}

// keeps reports whether a run that an earlier process left open goes on elsewhere. It does not if it is
// that of a session which this one was forked from, or if its end was not saved and another followed.
func (s *Supervisor) keeps(d *tx, run Run) bool {
	return run.Remote() && run.Seq > d.t.copied && d.Latest(run.Session).ID == run.ID
}

// keep keeps a remote run that an earlier process has left. No call waits for it any more. The lock is
// held.
func (s *Supervisor) keep(d *tx, h *handle) error {
	h.kept = h.run.State == StateRunning
	if !h.run.Awaited() {
		return nil
	}
	return d.apply(h.run.Session, h.run.ID, Warned{
		Kind: WarnLeftBehind, Message: "Pawl ended while a call waited for it; it goes on, and its end will be told",
	})
}

// takeUp calls the worker of each remote run that an earlier process has left at work.
func (s *Supervisor) takeUp(t *tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range t.open {
		h := t.runs[id]
		if !h.kept || s.closing {
			continue
		}
		if !h.run.StopRequestedAt.IsZero() {
			h.cancel(&Stopped{Cause: h.run.Cause, Reason: h.run.Reason})
			s.workers.Go(func() { s.watchStop(t, h) })
		}
		for _, q := range h.run.Asked {
			bell := make(chan Answer, 1)
			t.questions[q.ID] = bell
			h.open = append(h.open, openQuestion{q, bell})
		}
		s.workers.Add(1)
		go s.drive(&Port{s: s, t: t, h: h, session: h.run.Session, id: id})
	}
}

// openQuestion is a question that a process on another machine has asked an earlier process of Pawl. A
// person may answer it before it is asked again.
type openQuestion struct {
	Question
	answer chan Answer
}

// askedBefore takes up a question that the run's process has asked an earlier process of Pawl: it waits
// for its answer, or finds it in the log. asked is false for a new one.
func (p *Port) askedBefore(ctx context.Context, q Question) (answer Answer, asked bool, err error) {
	s := p.s
	s.mu.Lock()
	kept, request := p.h.kept, p.h.run.Request
	i := slices.IndexFunc(p.h.open, func(open openQuestion) bool {
		return open.Call == q.Call && open.Tool == q.Tool && open.Subject == q.Subject && open.Effect == q.Effect
	})
	if i < 0 {
		s.mu.Unlock()
		if !kept || p.request == 0 || p.request > request {
			return Answer{}, false, nil
		}
		return p.answeredBefore(ctx)
	}
	open := p.h.open[i]
	p.h.open = slices.Delete(p.h.open, i, i+1)
	c, err := s.settleTakenUp(p.t, p.h, open)
	s.mu.Unlock()
	if err := saved(c, err); err != nil {
		return Answer{}, true, err
	}
	answer, err = s.await(ctx, p.t, p.h, open.ID, open.answer)
	return answer, true, err
}

// settleTakenUp answers an open question that was taken up if nobody is left to answer it. The lock is
// held.
func (s *Supervisor) settleTakenUp(t *tree, h *handle, open openQuestion) (*change, error) {
	answer, settled := s.settledBefore(t, h, open.Question)
	if _, _, still := t.asked(open.ID); !still || !settled {
		return nil, nil
	}
	d := s.begin(t)
	if err := d.apply(open.Session, open.Run, outcome(open.Question, answer)); err != nil {
		return nil, err
	}
	if err := s.startWaiting(d); err != nil {
		return nil, err
	}
	d.then(func() {
		delete(t.questions, open.ID)
		open.answer <- answer
	})
	return d.commit(), nil
}

// answeredBefore finds the answer to this port's request in the log.
func (p *Port) answeredBefore(ctx context.Context) (answer Answer, found bool, err error) {
	var question QuestionID
	for after := Seq(0); ; {
		records, err := p.s.options.Journal.Records(ctx, p.t.root, after, page)
		if err != nil || len(records) == 0 {
			return answer, found, err
		}
		for _, rec := range records {
			if rec.Run != p.id {
				continue
			}
			switch e := rec.Event.(type) {
			case Placed: // the numbers begin anew
				question, found = "", false
			case PermissionAsked:
				if rec.Request == p.request {
					question, found = e.ID, false
				}
			case PermissionGranted:
				if e.Question == question && question != "" {
					answer, found = Answer{Allow: true, Scope: e.Scope, By: e.By}, true
				}
			case PermissionDenied:
				if e.Question == question && question != "" {
					answer, found = Answer{By: e.By, Reason: e.Reason}, true
				}
			default:
			}
		}
		after = records[len(records)-1].Seq
	}
}

// forgetOpen lets go of the questions of a worker that is gone. The lock is held.
func (t *tree) forgetOpen(h *handle) {
	for _, open := range h.open {
		delete(t.questions, open.ID)
	}
	h.open = nil
}

// MostLabels is how many labels a run or a worker may have: a worker looks for work under each
// choice of its own, 32 with five.
const MostLabels = 5

const longestLabel = 32 // in characters; it is a part of a subject's name

// CheckLabels refuses labels of runs and workers that cannot be used: a worker takes the runs
// whose labels it has all of.
func CheckLabels(labels []string) error {
	if len(labels) > MostLabels {
		return fmt.Errorf("%d labels (%s): at most %d can be given", len(labels), strings.Join(labels, ","), MostLabels)
	}
	for i, label := range labels {
		switch {
		case label == "":
			return errors.New("a label is empty: write them like gpu,linux")
		case len(label) > longestLabel || strings.ContainsFunc(label, unfitForLabel):
			return fmt.Errorf("label %q: must have 1 to %d letters, digits, - or _", label, longestLabel)
		case label == "any":
			return errors.New(`label "any": reserved for runs and workers without labels: leave it out`)
		case slices.Contains(labels[:i], label):
			return fmt.Errorf("label %q: given twice", label)
		}
	}
	return nil
}

func unfitForLabel(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", r)
}
