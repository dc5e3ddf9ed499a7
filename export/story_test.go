package export

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/lifecycle"
)

// story is a session written by hand. It folds its records as they come, so its
// runs agree with them, and a record that no run can have fails the test.
type story struct {
	t        testing.TB
	facts    book.Session
	secrets  []string
	clock    time.Time
	records  []lifecycle.Record
	runs     []lifecycle.Run
	openings []book.Opening
	entries  map[lifecycle.SessionID][]written
}

// written is a transcript entry with the log's last record when it was written.
type written struct {
	seq   lifecycle.Seq
	entry lifecycle.Entry
}

const root lifecycle.SessionID = "s-root"

func newStory(t testing.TB) *story {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &story{
		t: t, clock: start, entries: map[lifecycle.SessionID][]written{},
		facts: book.Session{ID: root, Title: "Audit the refunds", Folder: "/home/ada/shop", Model: "demo", Created: start},
	}
}

// add appends records of one run, 250 ms apart.
func (s *story) add(session lifecycle.SessionID, id lifecycle.RunID, events ...lifecycle.Event) {
	s.t.Helper()
	for _, event := range events {
		s.clock = s.clock.Add(250 * time.Millisecond)
		rec := lifecycle.Record{
			Seq: s.upto() + 1, Time: s.clock, Root: s.facts.ID, Session: session, Run: id, Event: event,
		}
		s.records = append(s.records, rec)
		i := slices.IndexFunc(s.runs, func(r lifecycle.Run) bool { return r.ID == id })
		if i < 0 {
			i = len(s.runs)
			s.runs = append(s.runs, lifecycle.Run{})
		}
		next, err := s.runs[i].Apply(rec)
		require.NoError(s.t, err, "record %d", rec.Seq)
		s.runs[i] = next
	}
}

func (s *story) run(id lifecycle.RunID) lifecycle.Run {
	i := slices.IndexFunc(s.runs, func(r lifecycle.Run) bool { return r.ID == id })
	require.GreaterOrEqual(s.t, i, 0, "run %s", id)
	return s.runs[i]
}

func (s *story) upto() lifecycle.Seq { return lifecycle.Seq(len(s.records)) }

// spawn begins a run, with its prompt in the transcript.
func (s *story) spawn(session lifecycle.SessionID, id lifecycle.RunID, spec lifecycle.Spec, then ...lifecycle.Event) {
	s.t.Helper()
	spec.Root, spec.Folder, spec.Model = s.facts.ID, s.facts.Folder, s.facts.Model
	s.add(session, id, append([]lifecycle.Event{lifecycle.Spawned{Spec: spec}}, then...)...)
	if spec.Prompt != "" {
		s.said(session, id, spec.From, "", spec.Prompt)
	}
}

// child is the spec of a subagent of P1.
func child(call lifecycle.CallID, kind, description, prompt string, background bool) lifecycle.Spec {
	return lifecycle.Spec{
		Parent: root, ParentRun: "r-p1", Call: call, Trigger: lifecycle.TriggerAgent, Type: kind,
		Description: description, Prompt: prompt, From: lifecycle.FromAgent, Background: background,
		Isolation: lifecycle.IsolationNone,
	}
}

func (s *story) write(session lifecycle.SessionID, id lifecycle.RunID, kind lifecycle.EntryKind, body any) *lifecycle.Entry {
	raw, err := json.Marshal(body)
	require.NoError(s.t, err)
	s.entries[session] = append(s.entries[session], written{s.upto(), lifecycle.Entry{Session: session, Run: id, Kind: kind, Body: raw}})
	return &s.entries[session][len(s.entries[session])-1].entry
}

func (s *story) said(session lifecycle.SessionID, id lifecycle.RunID, from string, message lifecycle.MessageID, text string) {
	s.write(session, id, lifecycle.EntryUser, lifecycle.Said{From: from, Message: message, Text: text})
}

type object = map[string]any

// answered writes an assistant message in agent's stored form.
func (s *story) answered(session lifecycle.SessionID, id lifecycle.RunID, parts ...object) {
	s.write(session, id, lifecycle.EntryAssistant, object{"model": "demo", "stop": "end", "parts": parts})
}

func say(text string) object { return object{"text": text} }

func thought(text string) object {
	return object{"thinking": object{"text": text, "signature": "opaque"}}
}

func call(id lifecycle.CallID, name, input string) object {
	return object{"call": object{"id": id, "name": name, "input": input}}
}

func (s *story) result(session lifecycle.SessionID, id lifecycle.RunID, call lifecycle.CallID, name, text string, isError bool) {
	s.write(session, id, lifecycle.EntryToolResult, object{"call": call, "name": name, "text": text, "is_error": isError}).Call = call
}

// told writes the notification of a run's end.
func (s *story) told(in, source lifecycle.RunID) {
	r := s.run(source)
	s.write(root, in, lifecycle.EntryNotification, lifecycle.Notice{
		Agent: r.Session, Run: r.ID, Call: r.Call, Description: r.Description, State: r.State, Cause: r.Cause,
		Error: r.Error, Remaining: 2, Result: r.Output(), Partial: r.Result == "", Usage: r.Usage, Elapsed: r.Elapsed(s.clock),
	}).Source = source
}

// source gives the story as the store would: everything there is, whatever the
// export reaches to.
func (s *story) source() book.Source {
	return book.Source{
		Session: s.facts, Version: "0.1.0", Secrets: s.secrets, Openings: s.openings,
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
			runs := s.runs[min(after, len(s.runs)):]
			return slices.Clone(runs[:min(limit, len(runs))]), nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			from := min(int(after), len(s.records))
			return slices.Clone(s.records[from:min(from+limit, len(s.records))]), nil
		},
		Messages: book.Stored(func(_ context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]lifecycle.Entry, error) {
			var entries []lifecycle.Entry
			for _, w := range s.entries[session] {
				if w.seq <= upto {
					entries = append(entries, w.entry)
				}
			}
			entries = entries[min(after, len(entries)):]
			return entries[:min(limit, len(entries))], nil
		}),
	}
}

// opened says that a process took the session up with this record.
func (s *story) opened(seq lifecycle.Seq, trusted bool) {
	s.openings = append(s.openings, book.Opening{
		Seq: seq, Time: s.records[seq-1].Time, Pawl: "0.1.0 go1.26", Platform: "linux/amd64", Database: 2, Screen: true, Trusted: trusted,
		Settings: map[string]any{
			"model": "demo", "permission_mode": "default", "subagents.max_background": 5, "limits.max_cost": 2.5,
			"permissions.allow": []string{"shell(go test *)"}, "permissions.ask": []string{},
		},
	})
}
