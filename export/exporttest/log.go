package exporttest

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"pawl/export/book"
	"pawl/lifecycle"
)

// Long is a session of so many records that are made when they are asked for:
// one run that works on and on, step by step.
func Long(records lifecycle.Seq) book.Source {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	event := func(seq lifecycle.Seq) lifecycle.Event {
		n := int(seq)
		switch seq {
		case 1:
			return lifecycle.Spawned{Spec: lifecycle.Spec{Root: Root, Trigger: lifecycle.TriggerUser, Prompt: "Work on."}}
		case 2:
			return lifecycle.Started{}
		case records:
			return lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Done."}
		}
		id := lifecycle.CallID(fmt.Sprint("call_", n/5))
		switch n % 5 {
		case 0:
			return lifecycle.StepStarted{Step: n / 5}
		case 1:
			return lifecycle.Text{Text: "I look at the next file now, and at the tests that go with it."}
		case 2:
			return lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 1000, OutputTokens: 100}}
		case 3:
			return lifecycle.ToolStarted{Call: id, Tool: "read", Label: "refund.go", Input: []byte(`{"path":"refund.go"}`)}
		default:
			return lifecycle.ToolEnded{Call: id, Tool: "read", Status: lifecycle.ToolOK, View: []byte(`{"kind":"plain","view":{"text":"package shop\n\nfunc refund() error { return nil }\n"}}`)}
		}
	}
	record := func(seq lifecycle.Seq) lifecycle.Record {
		return lifecycle.Record{Seq: seq, Time: start.Add(time.Duration(seq) * time.Millisecond), Root: Root, Session: Root, Run: "r-p1", Event: event(seq)}
	}
	return book.Source{
		Session: book.Session{ID: Root, Created: start},
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, _ int) ([]lifecycle.Run, error) {
			if after > 0 {
				return nil, nil
			}
			var run lifecycle.Run
			var err error
			for _, seq := range []lifecycle.Seq{1, 2, records} {
				if run, err = run.Apply(record(seq)); err != nil {
					return nil, err
				}
			}
			return []lifecycle.Run{run}, nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			page := make([]lifecycle.Record, 0, limit)
			for seq := after + 1; seq <= records && len(page) < limit; seq++ {
				page = append(page, record(seq))
			}
			return page, nil
		},
		Messages: func(context.Context, lifecycle.SessionID, lifecycle.Seq, int, int) ([]book.Message, error) {
			return nil, nil
		},
	}
}

func Heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
