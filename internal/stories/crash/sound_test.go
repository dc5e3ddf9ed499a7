package crash

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// document is a JSON export, as far as the invariants of a session need it.
type document struct {
	Seq     lifecycle.Seq
	Session struct {
		ID lifecycle.SessionID
	}
	Sessions []struct {
		Session, Parent lifecycle.SessionID
		Runs            []lifecycle.RunID
		Transcript      []spoken
	}
	Runs    []lifecycle.Run
	Records []lifecycle.Record
}

// spoken is one message of a transcript.
type spoken struct {
	Kind    lifecycle.EntryKind
	Run     lifecycle.RunID
	From    string
	Message lifecycle.MessageID
	Source  lifecycle.RunID
	Parts   []struct {
		Type     string
		Text     string
		Call     lifecycle.CallID
		Name     string
		Input    json.RawMessage
		Metadata json.RawMessage
	}
}

// soundExport holds an exported session against the invariants of the design, at
// whatever moment it was exported: the log by itself, the receipts against the
// log, the transcripts against both.
func soundExport(t testing.TB, doc document, limits lifecycle.Limits) {
	t.Helper()
	require.Empty(t, newAudit(doc).check(limits), "the export is not sound")
}

// settledExport is soundExport for a session in which the parent has run since
// whatever happened, and in which nothing runs any more: nothing is open, and
// nothing is owed.
func settledExport(t testing.TB, doc document, limits lifecycle.Limits) {
	t.Helper()
	soundExport(t, doc, limits)
	require.Empty(t, newAudit(doc).checkSettled(), "the export is not settled")
}

// audit folds the log of an export and lists what is wrong with it.
type audit struct {
	doc      document
	runs     map[lifecycle.RunID]lifecycle.Run
	order    []lifecycle.RunID
	records  map[lifecycle.RunID][]lifecycle.Record
	problems []string
}

func newAudit(doc document) *audit {
	return &audit{doc: doc, runs: map[lifecycle.RunID]lifecycle.Run{}, records: map[lifecycle.RunID][]lifecycle.Record{}}
}

func (a *audit) unless(ok bool, format string, args ...any) {
	if !ok {
		a.problems = append(a.problems, fmt.Sprintf(format, args...))
	}
}

func (a *audit) check(limits lifecycle.Limits) []string {
	a.fold(limits)
	a.receipts()
	for _, id := range a.order {
		a.ends(a.runs[id])
		a.word(a.runs[id])
	}
	a.messages()
	a.transcripts()
	return a.problems
}

// fold plays the log from its first record, and counts the slots after each.
func (a *audit) fold(limits lifecycle.Limits) {
	a.unless(int(a.doc.Seq) == len(a.doc.Records), "record %d is the newest of %d", a.doc.Seq, len(a.doc.Records))
	for i, rec := range a.doc.Records {
		a.unless(int(rec.Seq) == i+1, "record %d stands at place %d", rec.Seq, i+1)
		before := a.runs[rec.Run]
		after, err := before.Apply(rec)
		a.unless(err == nil, "record %d: %v", rec.Seq, err)
		if before.ID == "" {
			a.order = append(a.order, rec.Run)
		}
		a.runs[rec.Run] = after
		a.records[rec.Run] = append(a.records[rec.Run], rec)
		a.slots(rec.Seq, limits)
	}
}

func (a *audit) slots(at lifecycle.Seq, limits lifecycle.Limits) {
	background, foreground := 0, 0
	for _, run := range a.runs {
		switch {
		case !run.Subagent() || run.State != lifecycle.StateRunning:
		case run.Background:
			background++
		case run.OverdueAt.IsZero():
			foreground++
		}
	}
	a.unless(background <= limits.Background, "record %d: %d background runs, and %d slots", at, background, limits.Background)
	a.unless(foreground <= limits.Foreground, "record %d: %d foreground runs, and %d slots", at, foreground, limits.Foreground)
}

// receipts says that every run is the fold of its records, in the list and on the
// call that started it.
func (a *audit) receipts() {
	a.unless(len(a.doc.Runs) == len(a.order), "%d receipts of %d runs", len(a.doc.Runs), len(a.order))
	for i, run := range a.doc.Runs {
		a.unless(i < len(a.order) && run.ID == a.order[i], "run %s is out of order", run.ID)
		a.unless(alike(run, a.runs[run.ID]), "the receipt of run %s is not the fold of its records:\n%s\n%s", run.ID, asText(run), asText(a.runs[run.ID]))
	}
	for _, session := range a.doc.Sessions {
		for _, m := range session.Transcript {
			for _, p := range m.Parts {
				if p.Type != "tool_call" {
					continue
				}
				want := lifecycle.CallMetadata(a.startedBy(session.Session, p.Call))
				a.unless(alike(p.Metadata, want), "call %s of %s carries\n%s\nand the log says\n%s", p.Call, p.Name, p.Metadata, want)
			}
		}
	}
}

// startedBy lists the runs on account of a call.
func (a *audit) startedBy(session lifecycle.SessionID, call lifecycle.CallID) (runs []lifecycle.Run) {
	for _, id := range a.order {
		if run := a.runs[id]; run.Parent == session && run.Call == call {
			runs = append(runs, run)
		}
	}
	return runs
}

// ends says that a run ends once, and what may come after.
func (a *audit) ends(run lifecycle.Run) {
	ended := 0
	for _, rec := range a.records[run.ID] {
		name := lifecycle.Name(rec.Event)
		after := strings.HasPrefix(name, "notification_") || name == "consumed"
		a.unless(ended == 0 || after, "record %d: %s after the end of run %s", rec.Seq, name, run.ID)
		a.unless(ended > 0 || !after, "record %d: %s before the end of run %s", rec.Seq, name, run.ID)
		if name == "ended" {
			ended++
		}
	}
	a.unless(ended == 1 || ended == 0 && !run.State.Terminal(), "run %s is %s and has ended %d times", run.ID, run.State, ended)
}

// word says that a parent is told of an end as often as it is owed word of it.
func (a *audit) word(run lifecycle.Run) {
	at := map[string]lifecycle.Seq{}
	times := map[string]int{}
	for _, rec := range a.records[run.ID] {
		at[lifecycle.Name(rec.Event)] = rec.Seq
		times[lifecycle.Name(rec.Event)]++
	}
	queued, delivered, withdrawn := times["notification_queued"], times["notification_delivered"], times["notification_withdrawn"]
	owes := run.State.Terminal() && run.Owes()
	switch {
	case !owes, run.State == lifecycle.StateCanceledByAgent: // a call tells, or was to tell
		a.unless(queued <= 1, "run %s queued its word %d times", run.ID, queued)
	default:
		a.unless(queued == 1, "run %s owes word of its end, and queued it %d times", run.ID, queued)
		a.unless(at["notification_queued"] == at["ended"]+1, "run %s ended at %d and queued its word at %d", run.ID, at["ended"], at["notification_queued"])
	}
	a.unless(delivered+withdrawn <= queued, "run %s: word queued %d times, delivered %d, withdrawn %d", run.ID, queued, delivered, withdrawn)
	a.unless(times["consumed"] <= 1, "run %s was consumed %d times", run.ID, times["consumed"])
	a.unless(times["consumed"] == 0 || queued == delivered+withdrawn, "run %s was read, and is still owed", run.ID)

	told := a.told(run)
	a.unless(len(told) == delivered, "run %s: word delivered %d times, and %d messages", run.ID, delivered, len(told))
	if delivered == 1 && len(told) == 1 {
		in := a.runs[run.Notification.InRun]
		a.unless(in.Session == run.Parent && told[0].Run == in.ID, "run %s: delivered in run %s, and told in run %s", run.ID, in.ID, told[0].Run)
		a.unless(run.Notification.Step > 0 && run.Notification.Step <= in.Step, "run %s: delivered at step %d of %d", run.ID, run.Notification.Step, in.Step)
		c := run.Consumed
		a.unless(c != nil && c.By == lifecycle.ByNotification && c.InRun == in.ID, "run %s: delivered, and consumed by %+v", run.ID, c)
	}
}

// Told lists the notifications of a run in its parent's transcript; one in any
// other counts as a fault.
func (a *audit) told(run lifecycle.Run) (told []spoken) {
	for _, session := range a.doc.Sessions {
		for _, m := range session.Transcript {
			if m.Source == run.ID {
				a.unless(session.Session == run.Parent && m.Kind == lifecycle.EntryNotification, "run %s is told of in session %s", run.ID, session.Session)
				told = append(told, m)
			}
		}
	}
	return told
}

// Messages says that what was queued is taken in or withdrawn, once.
func (a *audit) messages() {
	settled := map[lifecycle.MessageID]string{}
	for _, rec := range a.doc.Records {
		var id lifecycle.MessageID
		switch e := rec.Event.(type) {
		case lifecycle.MessageTaken:
			id = e.Message
			a.unless(len(a.entered(id)) == 1, "message %s was taken in, and stands %d times", id, len(a.entered(id)))
		case lifecycle.MessageWithdrawn:
			id = e.Message
			a.unless(len(a.entered(id)) == 0, "message %s was withdrawn, and stands in a transcript", id)
		default:
			continue
		}
		a.unless(settled[id] == "", "record %d: message %s was %s before", rec.Seq, id, settled[id])
		settled[id] = lifecycle.Name(rec.Event)
	}
}

func (a *audit) entered(id lifecycle.MessageID) (found []spoken) {
	for _, session := range a.doc.Sessions {
		for _, m := range session.Transcript {
			if m.Message == id {
				found = append(found, m)
			}
		}
	}
	return found
}

// transcripts says that every call has one result before the model speaks again,
// that the log knows each call, and that no text given to a model is empty.
func (a *audit) transcripts() {
	for _, session := range a.doc.Sessions {
		open, made := map[lifecycle.CallID]string{}, map[lifecycle.CallID]bool{}
		for i, m := range session.Transcript {
			a.unless(slices.Contains(session.Runs, m.Run), "message %d of %s is of run %s, which is not its own", i, session.Session, m.Run)
			if m.Kind == lifecycle.EntryAssistant {
				a.unless(len(open) == 0, "message %d of %s: the model speaks before the results of %v", i, session.Session, open)
			}
			for _, p := range m.Parts {
				switch p.Type {
				case "tool_call":
					a.unless(!made[p.Call], "call %s was made twice", p.Call)
					open[p.Call], made[p.Call] = p.Name, true
				case "tool_result":
					_, asked := open[p.Call]
					a.unless(asked, "message %d of %s: a result of %s, which nobody waits for", i, session.Session, p.Call)
					delete(open, p.Call)
				}
				empty := strings.TrimSpace(p.Text) == "" && m.Kind != lifecycle.EntryAssistant
				a.unless(!empty, "message %d (%s) of %s is empty", i, m.Kind, session.Session)
			}
		}
		a.unless(reflect.DeepEqual(a.calls(session.Session), made), "the log of %s knows the calls %v, its transcript %v", session.Session, a.calls(session.Session), made)
	}
}

// Calls lists the calls that the log of a session opens, and says that each ends
// once.
func (a *audit) calls(session lifecycle.SessionID) map[lifecycle.CallID]bool {
	begun, ended := map[lifecycle.CallID]bool{}, map[lifecycle.CallID]bool{}
	for _, rec := range a.doc.Records {
		if rec.Session != session {
			continue
		}
		switch e := rec.Event.(type) {
		case lifecycle.ToolStarted:
			a.unless(!begun[e.Call], "record %d: call %s begins a second time", rec.Seq, e.Call)
			begun[e.Call] = true
		case lifecycle.ToolEnded:
			a.unless(begun[e.Call] && !ended[e.Call], "record %d: call %s ends, and was not open", rec.Seq, e.Call)
			ended[e.Call] = true
		}
	}
	return begun
}

// checkSettled lists what is left open or owed.
func (a *audit) checkSettled() []string {
	a.fold(lifecycle.Limits{Background: len(a.doc.Records), Foreground: len(a.doc.Records)})
	root := map[lifecycle.CallID]bool{}
	waiting := map[lifecycle.MessageID]bool{}
	for _, rec := range a.doc.Records {
		switch e := rec.Event.(type) {
		case lifecycle.MessageQueued:
			waiting[e.ID] = true
		case lifecycle.MessageTaken:
			delete(waiting, e.Message)
		case lifecycle.MessageWithdrawn:
			delete(waiting, e.Message)
		case lifecycle.ToolStarted:
			root[e.Call] = rec.Session == a.doc.Session.ID
		case lifecycle.ToolEnded:
			delete(root, e.Call)
		}
	}
	for call, open := range root {
		a.unless(!open, "call %s of the parent has no result", call)
	}
	a.unless(len(waiting) == 0, "messages wait for nobody: %v", waiting)
	for _, id := range a.order {
		run := a.runs[id]
		a.unless(run.State.Terminal(), "run %s is %s", id, run.State)
		a.unless(!run.Notification.Pending(), "run %s is still owed", id)
		a.unless(!run.Subagent() || run.Consumed != nil, "run %s (%s, %s) ended, and nobody told its parent", id, run.Description, run.State)
	}
	return a.problems
}

// alike compares two values as JSON.
func alike(one, other any) bool {
	var a, b any
	return json.Unmarshal([]byte(asText(one)), &a) == nil && json.Unmarshal([]byte(asText(other)), &b) == nil && reflect.DeepEqual(a, b)
}

func asText(v any) string {
	if raw, ok := v.(json.RawMessage); ok && len(raw) == 0 {
		return "null"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
