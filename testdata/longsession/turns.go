package main

import (
	"context"
	"encoding/json"
	"fmt"

	"pawl/lifecycle"
	"pawl/store"
)

// writeSessions writes sessions of this many turns each, and returns the last.
func writeSessions(database, folder string, sessions, turns int, answer string) (last lifecycle.SessionID) {
	db, err := store.Open(context.Background(), database, store.Options{})
	check(err)
	for range sessions {
		last = writeTurns(db, folder, turns, answer)
	}
	check(db.Close())
	return last
}

// writeTurns writes a session of this many turns, of two messages each, as Pawl itself does.
func writeTurns(db *store.Store, folder string, turns int, answer string) lifecycle.SessionID {
	ctx := context.Background()
	s := lifecycle.New(lifecycle.Options{Journal: db, Work: saying(answer), Limits: lifecycle.DefaultLimits()})
	root := lifecycle.NewSessionID()
	_, err := s.Open(ctx, root, lifecycle.Spec{Type: "general", Model: "openai-chat/bench", Folder: folder})
	check(err)
	ended := make(chan struct{})
	go func() {
		_ = s.Watch(ctx, root, 0, func(u lifecycle.Updates) { // until the supervisor is closed
			for _, rec := range u.Records {
				if _, ok := rec.Event.(lifecycle.Ended); ok {
					ended <- struct{}{}
				}
			}
		})
	}()
	for i := range turns {
		_, err := s.Do(ctx, lifecycle.Send{Session: root, Text: fmt.Sprintf("question %d", i)})
		check(err)
		<-ended
	}
	check(s.Close(ctx, lifecycle.CauseQuit))
	return root
}

// saying is a worker that answers always the same.
func saying(answer string) lifecycle.Worker {
	return func(_ context.Context, port *lifecycle.Port) lifecycle.Outcome {
		if _, err := port.Step(); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		run := port.Run()
		said, err := json.Marshal(map[string]any{"model": "bench", "stop": "end", "parts": []any{map[string]any{"text": answer}}})
		if err != nil {
			return lifecycle.Outcome{Err: err}
		}
		entry := lifecycle.Entry{Session: run.Session, Run: run.ID, Kind: lifecycle.EntryAssistant, Body: said}
		err = port.Record([]lifecycle.Entry{entry}, lifecycle.Text{Text: answer}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 100, OutputTokens: 20}})
		return lifecycle.Outcome{Text: answer, Err: err}
	}
}
