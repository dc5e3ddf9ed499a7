// queue is a program of the crash tests. It drives the real store and the real
// supervisor to the records that no key and no prompt leads to, and says each thing
// on standard output once it is acknowledged.
//
//	queue DATABASE FOLDER MODEL
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"pawl/lifecycle"
	"pawl/store"
)

func main() {
	if err := play(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(ctx context.Context, database, folder, model string) error {
	db, err := store.Open(ctx, database, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	root := lifecycle.NewSessionID()
	release, err := db.Lock(root)
	if err != nil {
		return err
	}
	defer release()
	ready := make(chan struct{})
	s := lifecycle.New(lifecycle.Options{Journal: db, Limits: lifecycle.DefaultLimits(), Work: work(ready)})
	if _, err := s.Open(ctx, root, lifecycle.Spec{Type: "general", Model: model, Folder: folder}); err != nil {
		return err
	}
	if err := queue(ctx, s, root); err != nil {
		return err
	}
	close(ready)
	return s.Watch(ctx, root, 0, func(u lifecycle.Updates) {
		for _, rec := range u.Records {
			if _, ended := rec.Event.(lifecycle.Ended); ended {
				fmt.Println("ended")
				os.Exit(0)
			}
		}
	})
}

// queue is a person who thinks again about what waits.
func queue(ctx context.Context, s *lifecycle.Supervisor, root lifecycle.SessionID) error {
	ids := map[string]lifecycle.MessageID{}
	for _, text := range []string{"begin", "one", "two", "three"} {
		reply, err := s.Do(ctx, lifecycle.Send{Session: root, Text: text})
		if err != nil {
			return err
		}
		ids[text] = reply.Message
		fmt.Println("sent", text)
	}
	for _, act := range []struct {
		said    string
		command lifecycle.Command
	}{
		{"edited", lifecycle.EditMessage{Session: root, Message: ids["one"], Text: "one, once more"}},
		{"moved", lifecycle.MoveMessage{Session: root, Message: ids["three"], To: 0}},
		{"withdrawn", lifecycle.WithdrawMessage{Session: root, Message: ids["two"]}},
	} {
		if _, err := s.Do(ctx, act.command); err != nil {
			return err
		}
		fmt.Println(act.said)
	}
	return nil
}

// work takes in what waits, and replaces it all by a summary.
func work(ready <-chan struct{}) lifecycle.Worker {
	return func(_ context.Context, port *lifecycle.Port) lifecycle.Outcome {
		<-ready
		if _, err := port.Step(); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		fmt.Println("taken")
		run := port.Run()
		body, err := json.Marshal(map[string]string{"text": "They said three and one."})
		if err != nil {
			return lifecycle.Outcome{Err: err}
		}
		summary := lifecycle.Entry{Session: run.Session, Run: run.ID, Kind: lifecycle.EntrySummary, Body: body}
		err = port.Record([]lifecycle.Entry{summary}, lifecycle.Compacted{Summary: "They said three and one.", Before: 100, After: 10})
		if err == nil {
			fmt.Println("compacted")
		}
		return lifecycle.Outcome{Text: "done", Err: err}
	}
}
