package bench

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/store"
)

// chronicle writes a session as long as one may get straight into a database: by the
// store's own Append, folded as the supervisor folds, but hundreds of records a
// transaction. A parent takes turns of fifty steps; with the first four of a turn it
// starts subagents in the background, which work beside it and whose ends it is told.
type chronicle struct {
	tb      testing.TB
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
	turnSteps      = 50
	turnSubagents  = 4
	subagentSteps  = 37
	chronicleBatch = 1000 // changes an Append
)

// writeChronicle fills the database of a home and gives the session's id.
func writeChronicle(tb testing.TB, home string, records lifecycle.Seq) lifecycle.SessionID {
	tb.Helper()
	db, err := store.Open(tb.Context(), filepath.Join(home, "data", "pawl.db"), store.Options{})
	require.NoError(tb, err)
	c := &chronicle{tb: tb, db: db, root: lifecycle.NewSessionID()}
	for n := 0; c.seq < records; n++ {
		c.turn(n, records)
	}
	c.flush()
	require.Equal(tb, records, c.seq)
	require.NoError(tb, db.Close())
	return c.root
}

// mark folds records of a run and puts them, and what stands beside them, into a change.
func (c *chronicle) mark(run lifecycle.Run, entries []lifecycle.Entry, events ...lifecycle.Event) lifecycle.Run {
	change := lifecycle.Change{Entries: entries}
	for _, event := range events {
		c.seq++
		rec := lifecycle.Record{
			Seq: c.seq, Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(c.seq) * 100 * time.Millisecond),
			Root: c.root, Session: run.Session, Run: run.ID, Event: event,
		}
		next, err := c.runs[run.ID].Apply(rec)
		require.NoError(c.tb, err)
		c.runs[run.ID] = next
		change.Records = append(change.Records, rec)
	}
	change.Runs = []lifecycle.Run{c.runs[run.ID]}
	if c.changes = append(c.changes, change); len(c.changes) >= chronicleBatch {
		c.flush()
	}
	return c.runs[run.ID]
}

func (c *chronicle) flush() {
	if len(c.changes) > 0 {
		require.NoError(c.tb, c.db.Append(c.tb.Context(), c.changes))
	}
	c.changes = nil
}

// turn is one run of the parent and its subagents, or as much of it as there is room for.
func (c *chronicle) turn(n int, limit lifecycle.Seq) {
	c.runs = map[lifecycle.RunID]lifecycle.Run{}
	parent := c.begin(c.root, lifecycle.Spec{Trigger: lifecycle.TriggerUser, From: lifecycle.FromUser, Prompt: fmt.Sprintf("Turn %d. %s", n, chronicleText(400))})
	var children []lifecycle.Run
	for step := range turnSteps {
		for i := range children {
			if children[i].Step < subagentSteps {
				children[i] = c.step(children[i], "read")
			} else if !children[i].State.Terminal() {
				children[i] = c.end(children[i], parent)
			}
		}
		if step >= turnSubagents {
			parent = c.step(parent, "read")
		} else {
			parent = c.step(parent, "agent")
			children = append(children, c.begin(lifecycle.NewSessionID(), lifecycle.Spec{
				Parent: c.root, ParentRun: parent.ID, Call: c.call(), Trigger: lifecycle.TriggerAgent, From: lifecycle.FromAgent, Type: "general",
				Description: fmt.Sprintf("audit part %d of %d", step, n), Prompt: chronicleText(1200), Background: true, Isolation: lifecycle.IsolationNone,
			}))
		}
		if room := limit - c.seq; room < 200 { // the last turn is cut short, to the record
			for ; room > 1; room-- {
				c.mark(parent, nil, lifecycle.Text{Text: "So."})
			}
			c.mark(parent, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: chronicleText(800)})
			return
		}
	}
	c.mark(parent, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: chronicleText(800)})
}

// begin is a run that has its slot.
func (c *chronicle) begin(session lifecycle.SessionID, spec lifecycle.Spec) lifecycle.Run {
	spec.Root, spec.Model, spec.Folder = c.root, "demo", "/home/ada/shop"
	run := lifecycle.Run{ID: lifecycle.NewRunID(), Session: session}
	said := c.entry(run, lifecycle.EntryUser, lifecycle.Said{From: spec.From, Text: spec.Prompt})
	return c.mark(run, []lifecycle.Entry{said}, lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
}

func (c *chronicle) call() lifecycle.CallID { return lifecycle.CallID(fmt.Sprintf("call_%d", c.calls)) }

// step is an answer that calls a tool, and what the tool tells.
func (c *chronicle) step(run lifecycle.Run, tool string) lifecycle.Run {
	c.calls++
	id, input := c.call(), fmt.Sprintf(`{"path":"internal/shop/refund_%d.go","limit":200}`, c.calls)
	result := chronicleText(900)
	run = c.mark(run, nil, lifecycle.StepStarted{Step: run.Step + 1}, lifecycle.Thinking{Text: chronicleText(200)}, lifecycle.Thinking{Text: chronicleText(150)},
		lifecycle.Text{Text: chronicleText(220)}, lifecycle.Text{Text: chronicleText(180)}, lifecycle.Text{Text: chronicleText(60)})
	said := c.entry(run, lifecycle.EntryAssistant, map[string]any{"model": "demo", "stop": "tool_use", "parts": []any{
		map[string]any{"text": run.Partial}, map[string]any{"call": map[string]any{"id": id, "name": tool, "input": input}},
	}})
	run = c.mark(run, []lifecycle.Entry{said}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 40_000, OutputTokens: 300, CachedTokens: 38_000, Cost: 0.02}},
		lifecycle.ToolStarted{Call: id, Tool: tool, Label: fmt.Sprintf("internal/shop/refund_%d.go", c.calls), Input: json.RawMessage(input)})
	told := c.entry(run, lifecycle.EntryToolResult, map[string]any{"call": id, "name": tool, "text": result})
	told.Call = id
	view, err := json.Marshal(map[string]any{"kind": "plain", "view": map[string]any{"text": result}})
	require.NoError(c.tb, err)
	return c.mark(run, []lifecycle.Entry{told}, lifecycle.ToolEnded{Call: id, Tool: tool, Status: lifecycle.ToolOK, View: view})
}

// end is the end of a subagent and the word of it in the run of its parent.
func (c *chronicle) end(run, parent lifecycle.Run) lifecycle.Run {
	result := chronicleText(2000)
	run = c.mark(run, nil, lifecycle.Ended{State: lifecycle.StateCompleted, Result: result}, lifecycle.NotificationQueued{})
	told := c.entry(parent, lifecycle.EntryNotification, lifecycle.Notice{
		Agent: run.Session, Run: run.ID, Call: run.Call, Description: run.Description, State: run.State, Result: result, Usage: run.Usage,
	})
	told.Source = run.ID
	return c.mark(run, []lifecycle.Entry{told}, lifecycle.NotificationDelivered{InRun: parent.ID, Step: parent.Step}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: parent.ID})
}

func (c *chronicle) entry(run lifecycle.Run, kind lifecycle.EntryKind, body any) lifecycle.Entry {
	text, err := json.Marshal(body)
	require.NoError(c.tb, err)
	return lifecycle.Entry{Session: run.Session, Run: run.ID, Kind: kind, Body: text}
}

// chronicleText is prose with code of about so many bytes.
func chronicleText(size int) string {
	const sample = "The refund path looks the customer up twice, once in `charge.go` and again in `refund.go`, and the second " +
		"time it reads a stale row.\n\n```go\nfunc refund(c *Charge) error {\n\tif c.Refunded {\n\t\treturn errTwice\n\t}\n\treturn c.void()\n}\n```\n\n"
	return strings.Repeat(sample, size/len(sample)) + sample[:size%len(sample)]
}
