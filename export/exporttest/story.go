package exporttest

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

// Story is a session written by hand. It folds its records as they come, so its
// runs agree with them, and a record that no run can have fails the test.
type Story struct {
	T        testing.TB
	Facts    book.Session
	Secrets  []string
	Clock    time.Time
	Request  int64 // that records of a remote run are for
	Records  []lifecycle.Record
	Runs     []lifecycle.Run
	Openings []book.Opening
	Entries  map[lifecycle.SessionID][]Written
	Contents map[string]string // what the files of its changes held, by hash
}

// Written is a transcript entry with the log's last record when it was written.
type Written struct {
	Seq   lifecycle.Seq
	Entry lifecycle.Entry
}

const Root lifecycle.SessionID = "s-root"

func NewStory(t testing.TB) *Story {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return &Story{
		T: t, Clock: start, Entries: map[lifecycle.SessionID][]Written{},
		Facts: book.Session{ID: Root, Title: "Audit the refunds", Folder: "/home/ada/shop", Model: "demo", Created: start},
	}
}

// Add appends records of one run, 250 ms apart.
func (s *Story) Add(session lifecycle.SessionID, id lifecycle.RunID, events ...lifecycle.Event) {
	s.T.Helper()
	for _, event := range events {
		s.Clock = s.Clock.Add(250 * time.Millisecond)
		rec := lifecycle.Record{
			Seq: s.Upto() + 1, Time: s.Clock, Root: s.Facts.ID, Session: session, Run: id, Event: event,
		}
		s.Records = append(s.Records, rec)
		i := slices.IndexFunc(s.Runs, func(r lifecycle.Run) bool { return r.ID == id })
		if i >= 0 && s.Runs[i].Placed != nil {
			rec.Request = s.Request
			s.Records[len(s.Records)-1] = rec
		}
		if i < 0 {
			i = len(s.Runs)
			s.Runs = append(s.Runs, lifecycle.Run{})
		}
		next, err := s.Runs[i].Apply(rec)
		require.NoError(s.T, err, "record %d", rec.Seq)
		s.Runs[i] = next
	}
}

func (s *Story) Run(id lifecycle.RunID) lifecycle.Run {
	i := slices.IndexFunc(s.Runs, func(r lifecycle.Run) bool { return r.ID == id })
	require.GreaterOrEqual(s.T, i, 0, "run %s", id)
	return s.Runs[i]
}

func (s *Story) Upto() lifecycle.Seq { return lifecycle.Seq(len(s.Records)) }

// Spawn begins a run, with its prompt in the transcript.
func (s *Story) Spawn(session lifecycle.SessionID, id lifecycle.RunID, spec lifecycle.Spec, then ...lifecycle.Event) {
	s.T.Helper()
	spec.Root, spec.Folder, spec.Model = s.Facts.ID, s.Facts.Folder, s.Facts.Model
	s.Add(session, id, append([]lifecycle.Event{lifecycle.Spawned{Spec: spec}}, then...)...)
	if spec.Prompt != "" {
		s.said(session, id, spec.From, "", spec.Prompt)
	}
}

// Child is the spec of a subagent of P1.
func Child(call lifecycle.CallID, kind, description, prompt string, background bool) lifecycle.Spec {
	return lifecycle.Spec{
		Parent: Root, ParentRun: "r-p1", Call: call, Trigger: lifecycle.TriggerAgent, Type: kind,
		Description: description, Prompt: prompt, From: lifecycle.FromAgent, Background: background,
		Isolation: lifecycle.IsolationNone,
	}
}

func (s *Story) write(session lifecycle.SessionID, id lifecycle.RunID, kind lifecycle.EntryKind, body any) *lifecycle.Entry {
	raw, err := json.Marshal(body)
	require.NoError(s.T, err)
	s.Entries[session] = append(s.Entries[session], Written{s.Upto(), lifecycle.Entry{Session: session, Run: id, Kind: kind, Body: raw}})
	return &s.Entries[session][len(s.Entries[session])-1].Entry
}

func (s *Story) said(session lifecycle.SessionID, id lifecycle.RunID, from string, message lifecycle.MessageID, text string) {
	s.write(session, id, lifecycle.EntryUser, lifecycle.Said{From: from, Message: message, Text: text})
}

type Object = map[string]any

// Answered writes an assistant message in agent's stored form.
func (s *Story) Answered(session lifecycle.SessionID, id lifecycle.RunID, parts ...Object) {
	s.write(session, id, lifecycle.EntryAssistant, Object{"model": "demo", "stop": "end", "parts": parts})
}

func say(text string) Object { return Object{"text": text} }

func thought(text string) Object {
	return Object{"thinking": Object{"text": text, "signature": "opaque"}}
}

func Call(id lifecycle.CallID, name, input string) Object {
	return Object{"call": Object{"id": id, "name": name, "input": input}}
}

func (s *Story) result(session lifecycle.SessionID, id lifecycle.RunID, call lifecycle.CallID, name, text string, isError bool) {
	s.write(session, id, lifecycle.EntryToolResult, Object{"call": call, "name": name, "text": text, "is_error": isError}).Call = call
}

// told writes the notification of a run's end.
func (s *Story) told(in, source lifecycle.RunID) {
	r := s.Run(source)
	s.write(Root, in, lifecycle.EntryNotification, lifecycle.Notice{
		Agent: r.Session, Run: r.ID, Call: r.Call, Description: r.Description, State: r.State, Cause: r.Cause,
		Error: r.Error, Remaining: 2, Result: r.Output(), Partial: r.Result == "", Usage: r.Usage, Elapsed: r.Elapsed(s.Clock),
	}).Source = source
}

// Source gives the story as the store would: everything there is, whatever the
// export reaches to.
func (s *Story) Source() book.Source {
	return book.Source{
		Session: s.Facts, Version: "0.1.0", Secrets: s.Secrets, Openings: s.Openings, Contents: s.content,
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
			runs := s.Runs[min(after, len(s.Runs)):]
			return slices.Clone(runs[:min(limit, len(runs))]), nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			from := min(int(after), len(s.Records))
			return slices.Clone(s.Records[from:min(from+limit, len(s.Records))]), nil
		},
		Messages: book.Stored(func(_ context.Context, session lifecycle.SessionID, upto lifecycle.Seq, after, limit int) ([]lifecycle.Entry, error) {
			var entries []lifecycle.Entry
			for _, w := range s.Entries[session] {
				if w.Seq <= upto {
					entries = append(entries, w.Entry)
				}
			}
			entries = entries[min(after, len(entries)):]
			return entries[:min(limit, len(entries))], nil
		}),
	}
}

// opened says that a process took the session up with this record.
func (s *Story) opened(seq lifecycle.Seq, trusted bool) {
	s.Openings = append(s.Openings, book.Opening{
		Seq: seq, Time: s.Records[seq-1].Time, Pawl: "0.1.0 go1.26", Platform: "linux/amd64", Database: 2, Screen: true, Trusted: trusted,
		Settings: map[string]any{
			"model": "demo", "permission_mode": "default", "subagents.max_background": 5, "limits.max_cost": 2.5,
			"permissions.allow": []string{"shell(go test *)"}, "permissions.ask": []string{},
		},
	})
}
