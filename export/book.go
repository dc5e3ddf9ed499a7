package export

import (
	"context"
	"fmt"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// book is a root session as it stood when record upto was the newest: all of it
// that is small enough to hold. Records, transcripts and the texts of runs are read
// through it.
type book struct {
	src      Source
	root     lifecycle.SessionID
	upto     lifecycle.Seq
	at       time.Time // of record upto; zero without records
	hide     mask.Mask
	runs     []lifecycle.Run                   // in short, in the order in which they were spawned
	restless map[lifecycle.RunID]lifecycle.Run // whole: those of them that the source has otherwise
	near     []lifecycle.Run                   // whole, as the source has them: the page that was read last
	nearAt   int                               // how many runs are before it
	sessions []session                         // the root first, then subagents in the order of their first runs
	shells   []*lifecycle.Run                  // in the order in which they were spawned
	index    map[lifecycle.RunID]int           // of runs
	names    map[lifecycle.RunID]string
	calls    map[caller][]lifecycle.RunID
}

// session is one conversation of the book.
type session struct {
	id     lifecycle.SessionID
	parent lifecycle.SessionID // empty for the root
	name   string              // P, A1, A2, …
	runs   []*lifecycle.Run
}

// caller is the tool call on whose account runs were started.
type caller struct {
	session lifecycle.SessionID
	call    lifecycle.CallID
}

func openBook(ctx context.Context, src Source, root lifecycle.SessionID, upto lifecycle.Seq) (*book, error) {
	if err := src.check(root, upto); err != nil {
		return nil, err
	}
	b := &book{
		src: src, root: root, upto: upto, hide: mask.New(src.Secrets), restless: map[lifecycle.RunID]lifecycle.Run{},
		index: map[lifecycle.RunID]int{}, names: map[lifecycle.RunID]string{}, calls: map[caller][]lifecycle.RunID{},
	}
	if err := b.gather(ctx); err != nil {
		return nil, err
	}
	if err := b.date(ctx); err != nil {
		return nil, err
	}
	b.arrange()
	return b, nil
}

// date finds the time of the newest record: the clock of this export.
func (b *book) date(ctx context.Context) error {
	if b.upto == 0 {
		return nil
	}
	last, err := b.src.Records(ctx, b.root, b.upto-1, 1)
	if err != nil {
		return fmt.Errorf("read record %d: %w", b.upto, err)
	}
	if len(last) == 0 || last[0].Seq != b.upto {
		return fmt.Errorf("the log ends before record %d", b.upto)
	}
	b.at = last[0].Time
	return nil
}

// arrange sorts the runs by session and by call, and gives them short names:
// P1 is the main agent's first run, A2.1 the first run of the second subagent, S1 the
// first shell.
func (b *book) arrange() {
	b.sessions = []session{{id: b.root, name: "P"}}
	place := map[lifecycle.SessionID]int{b.root: 0}
	for n := range b.runs {
		run := &b.runs[n]
		b.index[run.ID] = n
		if run.Call != "" && run.Child() {
			by := caller{run.Parent, run.Call}
			b.calls[by] = append(b.calls[by], run.ID)
		}
		if run.Shell() { // it has no transcript
			b.shells = append(b.shells, run)
			b.names[run.ID] = fmt.Sprintf("S%d", len(b.shells))
			continue
		}
		i, known := place[run.Session]
		if !known {
			i = len(b.sessions)
			place[run.Session] = i
			b.sessions = append(b.sessions, session{id: run.Session, parent: run.Parent, name: fmt.Sprintf("A%d", i)})
		}
		s := &b.sessions[i]
		s.runs = append(s.runs, run)
		if i == 0 {
			b.names[run.ID] = fmt.Sprintf("P%d", len(s.runs))
		} else {
			b.names[run.ID] = fmt.Sprintf("%s.%d", s.name, len(s.runs))
		}
	}
}

// run finds a run by its id, in short.
func (b *book) run(id lifecycle.RunID) (lifecycle.Run, bool) {
	i, ok := b.index[id]
	if !ok {
		return lifecycle.Run{}, false
	}
	return b.runs[i], true
}

// name is the short name of a run, or its id where the log does not know it.
func (b *book) name(id lifecycle.RunID) string {
	if name, ok := b.names[id]; ok {
		return name
	}
	return string(id)
}

// session is what the source knows of it, as it stood then: its model may have been changed
// since.
func (b *book) session() Session {
	facts := b.src.Session
	facts.Created = facts.Created.UTC()
	for _, run := range b.sessions[0].runs {
		if run.Model != "" {
			facts.Model = run.Model
		}
	}
	return facts
}

// Totals is what a session cost.
type Totals struct {
	Runs     int             `json:"runs"`
	Parent   lifecycle.Usage `json:"parent"`
	Children lifecycle.Usage `json:"children"`
	All      lifecycle.Usage `json:"all"`
}

// Add counts one run.
func (t *Totals) Add(run lifecycle.Run) {
	if t.Runs++; run.Child() {
		t.Children = t.Children.Add(run.Usage)
	} else {
		t.Parent = t.Parent.Add(run.Usage)
	}
	t.All = t.Parent.Add(t.Children)
}

func (b *book) totals() (sum Totals) {
	for _, run := range b.runs {
		sum.Add(run)
	}
	return sum
}
