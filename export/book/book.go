package book

import (
	"context"
	"fmt"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Book is a root session as it stood when record Upto was the newest: all of it that is small
// enough to hold. Records, transcripts and the texts of runs are read through it.
type Book struct {
	Source   Source
	Root     lifecycle.SessionID
	Upto     lifecycle.Seq
	At       time.Time // time of record Upto; zero without records
	Mask     mask.Mask
	Runs     []lifecycle.Run                   // without long texts, in the order they were spawned
	restless map[lifecycle.RunID]lifecycle.Run // whole runs that differ from the source's current ones
	page     []lifecycle.Run                   // whole runs of the page that was read last
	pageAt   int                               // how many runs are before that page
	Sessions []Conversation                    // the root, then subagents in the order of their first runs
	Shells   []*lifecycle.Run                  // in the order they were spawned
	Index    map[lifecycle.RunID]int           // place of each run in Runs
	Names    map[lifecycle.RunID]string
	Calls    map[Caller][]lifecycle.RunID
}

// Conversation is one session of the book: the main agent's or a subagent's.
type Conversation struct {
	ID     lifecycle.SessionID
	Parent lifecycle.SessionID // empty for the root
	Name   string              // P, A1, A2, …
	Runs   []*lifecycle.Run
}

// Caller is a tool call that started runs.
type Caller struct {
	Session lifecycle.SessionID
	Call    lifecycle.CallID
}

// Open gathers a root session as it stood when record upto was the newest. It returns an error
// for a session that cannot be exported.
func Open(ctx context.Context, src Source, root lifecycle.SessionID, upto lifecycle.Seq) (*Book, error) {
	if err := src.Check(root, upto); err != nil {
		return nil, err
	}
	b := &Book{
		Source: src, Root: root, Upto: upto, Mask: mask.New(src.Secrets), restless: map[lifecycle.RunID]lifecycle.Run{},
		Index: map[lifecycle.RunID]int{}, Names: map[lifecycle.RunID]string{}, Calls: map[Caller][]lifecycle.RunID{},
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

// date reads the time of the newest record: the clock of this export.
func (b *Book) date(ctx context.Context) error {
	if b.Upto == 0 {
		return nil
	}
	var err error
	b.At, err = b.Source.TimeOf(ctx, b.Upto)
	return err
}

// arrange groups the runs by session and by call, and gives them short names: P1 is the main
// agent's first run, A2.1 the first run of the second subagent, S1 the first shell.
func (b *Book) arrange() {
	b.Sessions = []Conversation{{ID: b.Root, Name: "P"}}
	place := map[lifecycle.SessionID]int{b.Root: 0}
	for n := range b.Runs {
		run := &b.Runs[n]
		b.Index[run.ID] = n
		if run.Call != "" && run.Child() {
			by := Caller{run.Parent, run.Call}
			b.Calls[by] = append(b.Calls[by], run.ID)
		}
		if run.Shell() { // it has no transcript
			b.Shells = append(b.Shells, run)
			b.Names[run.ID] = fmt.Sprintf("S%d", len(b.Shells))
			continue
		}
		i, known := place[run.Session]
		if !known {
			i = len(b.Sessions)
			place[run.Session] = i
			b.Sessions = append(b.Sessions, Conversation{ID: run.Session, Parent: run.Parent, Name: fmt.Sprintf("A%d", i)})
		}
		s := &b.Sessions[i]
		s.Runs = append(s.Runs, run)
		if i == 0 {
			b.Names[run.ID] = fmt.Sprintf("P%d", len(s.Runs))
		} else {
			b.Names[run.ID] = fmt.Sprintf("%s.%d", s.Name, len(s.Runs))
		}
	}
}

// Run finds a run by its id, without its long texts.
func (b *Book) Run(id lifecycle.RunID) (lifecycle.Run, bool) {
	i, ok := b.Index[id]
	if !ok {
		return lifecycle.Run{}, false
	}
	return b.Runs[i], true
}

// Describe is what a subagent or a shell was started for, in its parent's words; empty for the
// main agent.
func (b *Book) Describe(id lifecycle.RunID) string {
	run, _ := b.Run(id)
	return run.Description
}

// Name is the short name of a run, or its id if the book does not have it.
func (b *Book) Name(id lifecycle.RunID) string {
	if name, ok := b.Names[id]; ok {
		return name
	}
	return string(id)
}

// NameOf is the short name of a session that has a transcript, or its id if the book does not have it.
func (b *Book) NameOf(session lifecycle.SessionID) string {
	for _, s := range b.Sessions {
		if s.ID == session {
			return s.Name
		}
	}
	return string(session)
}

// Facts are what the source knows of the session, as it stood then: its model may have been
// changed since.
func (b *Book) Facts() Session {
	facts := b.Source.Session
	facts.Created = facts.Created.UTC()
	for _, run := range b.Sessions[0].Runs {
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

// Add adds one run.
func (t *Totals) Add(run lifecycle.Run) {
	if t.Runs++; run.Child() {
		t.Children = t.Children.Add(run.Usage)
	} else {
		t.Parent = t.Parent.Add(run.Usage)
	}
	t.All = t.Parent.Add(t.Children)
}

// Totals returns what the session cost.
func (b *Book) Totals() (sum Totals) {
	for _, run := range b.Runs {
		sum.Add(run)
	}
	return sum
}
