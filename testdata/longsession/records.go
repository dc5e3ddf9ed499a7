package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"pawl/lifecycle"
	"pawl/store"
)

// longSession writes a session as long as one may get straight into a database: by the
// store's own Append, folded as the supervisor folds, but hundreds of records a
// transaction. A parent takes turns of fifty steps; with the first four of a turn it
// starts subagents in the background, which work beside it and whose ends it is told.
type longSession struct {
	db      *store.Store
	root    lifecycle.SessionID
	seq     lifecycle.Seq
	runs    map[lifecycle.RunID]lifecycle.Run // of this turn
	calls   int
	changes []lifecycle.Change
}

// What one turn is made of: 1,800 records and 400 messages. A step writes nine records
// and two messages.
const (
	turnSteps     = 50
	turnSubagents = 4
	subagentSteps = 37
	batch         = 1000 // changes an Append
)

// writeRecords fills a database with a session of so many records.
func writeRecords(database string, records lifecycle.Seq) lifecycle.SessionID {
	db, err := store.Open(context.Background(), database, store.Options{})
	check(err)
	l := &longSession{db: db, root: lifecycle.NewSessionID()}
	for n := 0; l.seq < records; n++ {
		l.turn(n, records)
	}
	l.flush()
	check(db.Close())
	return l.root
}

// mark folds records of a run and puts them, and what stands beside them, into a change.
func (l *longSession) mark(run lifecycle.Run, entries []lifecycle.Entry, events ...lifecycle.Event) lifecycle.Run {
	change := lifecycle.Change{Entries: entries}
	for _, event := range events {
		l.seq++
		rec := lifecycle.Record{
			Seq: l.seq, Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(l.seq) * 100 * time.Millisecond),
			Root: l.root, Session: run.Session, Run: run.ID, Event: event,
		}
		next, err := l.runs[run.ID].Apply(rec)
		check(err)
		l.runs[run.ID] = next
		change.Records = append(change.Records, rec)
	}
	change.Runs = []lifecycle.Run{l.runs[run.ID]}
	if l.changes = append(l.changes, change); len(l.changes) >= batch {
		l.flush()
	}
	return l.runs[run.ID]
}

func (l *longSession) flush() {
	if len(l.changes) > 0 {
		check(l.db.Append(context.Background(), l.changes))
	}
	l.changes = nil
}

// turn is one run of the parent and its subagents, or as much of it as there is room for.
func (l *longSession) turn(n int, limit lifecycle.Seq) {
	l.runs = map[lifecycle.RunID]lifecycle.Run{}
	parent := l.begin(l.root, lifecycle.Spec{Trigger: lifecycle.TriggerUser, From: lifecycle.FromUser, Prompt: fmt.Sprintf("Turn %d. %s", n, prose(400))})
	var children []lifecycle.Run
	for step := range turnSteps {
		for i := range children {
			if children[i].Step < subagentSteps {
				children[i] = l.step(children[i], "read")
			} else if !children[i].State.Terminal() {
				children[i] = l.end(children[i], parent)
			}
		}
		if step >= turnSubagents {
			parent = l.step(parent, "read")
		} else {
			parent = l.step(parent, "agent")
			children = append(children, l.begin(lifecycle.NewSessionID(), lifecycle.Spec{
				Parent: l.root, ParentRun: parent.ID, Call: l.call(), Trigger: lifecycle.TriggerAgent, From: lifecycle.FromAgent, Type: "general",
				Description: fmt.Sprintf("audit part %d of %d", step, n), Prompt: prose(1200), Background: true, Isolation: lifecycle.IsolationNone,
			}))
		}
		if room := limit - l.seq; room < 200 { // the last turn is cut short, to the record
			for ; room > 1; room-- {
				l.mark(parent, nil, lifecycle.Text{Text: "So."})
			}
			l.mark(parent, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: prose(800)})
			return
		}
	}
	l.mark(parent, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: prose(800)})
}

// begin is a run that has its slot.
func (l *longSession) begin(session lifecycle.SessionID, spec lifecycle.Spec) lifecycle.Run {
	spec.Root, spec.Model, spec.Folder = l.root, "demo", "/home/ada/shop"
	run := lifecycle.Run{ID: lifecycle.NewRunID(), Session: session}
	said := l.entry(run, lifecycle.EntryUser, lifecycle.Said{From: spec.From, Text: spec.Prompt})
	return l.mark(run, []lifecycle.Entry{said}, lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
}

func (l *longSession) call() lifecycle.CallID {
	return lifecycle.CallID(fmt.Sprintf("call_%d", l.calls))
}

// step is an answer that calls a tool, and what the tool tells.
func (l *longSession) step(run lifecycle.Run, tool string) lifecycle.Run {
	l.calls++
	id, input := l.call(), fmt.Sprintf(`{"path":"internal/shop/refund_%d.go","limit":200}`, l.calls)
	result := prose(900)
	run = l.mark(run, nil, lifecycle.StepStarted{Step: run.Step + 1}, lifecycle.Thinking{Text: prose(200)}, lifecycle.Thinking{Text: prose(150)},
		lifecycle.Text{Text: prose(220)}, lifecycle.Text{Text: prose(180)}, lifecycle.Text{Text: prose(60)})
	said := l.entry(run, lifecycle.EntryAssistant, map[string]any{"model": "demo", "stop": "tool_use", "parts": []any{
		map[string]any{"text": run.Partial}, map[string]any{"call": map[string]any{"id": id, "name": tool, "input": input}},
	}})
	run = l.mark(run, []lifecycle.Entry{said}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 40_000, OutputTokens: 300, CachedTokens: 38_000, Cost: 0.02}},
		lifecycle.ToolStarted{Call: id, Tool: tool, Label: fmt.Sprintf("internal/shop/refund_%d.go", l.calls), Input: json.RawMessage(input)})
	told := l.entry(run, lifecycle.EntryToolResult, map[string]any{"call": id, "name": tool, "text": result})
	told.Call = id
	view, err := json.Marshal(map[string]any{"kind": "plain", "view": map[string]any{"text": result}})
	check(err)
	return l.mark(run, []lifecycle.Entry{told}, lifecycle.ToolEnded{Call: id, Tool: tool, Status: lifecycle.ToolOK, View: view})
}

// end is the end of a subagent and the word of it in the run of its parent.
func (l *longSession) end(run, parent lifecycle.Run) lifecycle.Run {
	result := prose(2000)
	run = l.mark(run, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: result}, lifecycle.NotificationQueued{})
	told := l.entry(parent, lifecycle.EntryNotification, lifecycle.Notice{
		Agent: run.Session, Run: run.ID, Call: run.Call, Description: run.Description, State: run.State, Result: result, Usage: run.Usage,
	})
	told.Source = run.ID
	return l.mark(run, []lifecycle.Entry{told}, lifecycle.NotificationDelivered{InRun: parent.ID, Step: parent.Step}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: parent.ID})
}

func (l *longSession) entry(run lifecycle.Run, kind lifecycle.EntryKind, body any) lifecycle.Entry {
	text, err := json.Marshal(body)
	check(err)
	return lifecycle.Entry{Session: run.Session, Run: run.ID, Kind: kind, Body: text}
}

// prose is prose with code of about so many bytes.
func prose(size int) string {
	const sample = "The refund path looks the customer up twice, once in `charge.go` and again in `refund.go`, and the second " +
		"time it reads a stale row.\n\n```go\nfunc refund(c *Charge) error {\n\tif c.Refunded {\n\t\treturn errTwice\n\t}\n\treturn c.void()\n}\n```\n\n"
	return strings.Repeat(sample, size/len(sample)) + sample[:size%len(sample)]
}
