package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"pawl/agent"
	"pawl/export/book"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/store"
)

// Prompt is what a person wrote to a session, before which it can be forked.
type Prompt struct {
	Seq  lifecycle.Seq // of its record
	Time time.Time
	Text string
}

// Prompts are all that people wrote to a root session, in their order.
func Prompts(ctx context.Context, b *base.Base, root lifecycle.SessionID) ([]Prompt, error) {
	log, err := readLog(ctx, b, root)
	if err != nil {
		return nil, err
	}
	var all []Prompt
	for _, p := range log.Points() {
		if p.Kind == files.AtPrompt {
			all = append(all, Prompt{Seq: p.Seq, Time: p.Time, Text: p.Text})
		}
	}
	return all, nil
}

// ErrNothingBefore reports a fork before the first prompt: a new session has as much.
var ErrNothingBefore = errors.New("there is nothing before the first prompt: a new session has as much")

// Fork begins a new root session with all that another one has, or had before a prompt; nil: all. It
// reads the other one only, whoever drives that, and returns the new one's id. What was kept of files
// and outputs is copied; worktrees stay with the other one.
func Fork(ctx context.Context, b *base.Base, root lifecycle.SessionID, before *Prompt) (lifecycle.SessionID, error) {
	fork := store.Fork{ForkedFrom: store.ForkedFrom{Session: root}, Root: lifecycle.NewSessionID()}
	// The end is found before what is kept is copied: a record is written after what it names is kept.
	last, err := b.Store.LastSeq(ctx, root)
	if err != nil {
		return "", err
	}
	fork.Seq = last + 1
	if before != nil {
		fork.Seq, fork.Prompt = before.Seq, words.FirstLine(before.Text)
	}
	if fork.Seq <= 1 {
		return "", ErrNothingBefore
	}
	if fork.Facts, err = forkedFacts(ctx, b, root, fork.Seq); err != nil {
		return "", err
	}
	err = base.CopyKept(b, root, fork.Root)
	if err == nil {
		_, err = b.Store.Fork(ctx, fork)
	}
	if err != nil {
		return "", errors.Join(err, base.RemoveKept(b, fork.Root))
	}
	return fork.Root, base.TakeKept(b, fork.Root)
}

// forkedFacts are the session facts of a fork: the chosen model and effort, the settings under which its records
// were written, and each session's plan as it was then.
func forkedFacts(ctx context.Context, b *base.Base, root lifecycle.SessionID, before lifecycle.Seq) (map[lifecycle.SessionID]map[string]string, error) {
	all := map[lifecycle.SessionID]map[string]string{root: {}}
	for _, name := range []string{store.FactModel, store.FactEffort} {
		chosen, err := b.Store.SessionFact(ctx, root, name)
		if err != nil {
			return nil, err
		}
		if chosen != "" {
			all[root][name] = chosen
		}
	}
	openings, err := stored.Openings(ctx, b, root)
	if err != nil {
		return nil, err
	}
	openings = slices.DeleteFunc(openings, func(o book.Opening) bool { return o.Seq >= before })
	if all[root][store.FactOpenings], err = inJSON(openings); err != nil {
		return nil, err
	}
	log, err := readLog(ctx, b, root)
	if err != nil {
		return nil, err
	}
	plans, err := plansBefore(ctx, b, root, before, log)
	for session, plan := range plans {
		if all[session] == nil {
			all[session] = map[string]string{}
		}
		all[session][store.FactTodo] = plan
	}
	return all, err
}

// plansBefore are the plans of the sessions as they were right before a record, without what rewinds of
// the root's conversation had taken back.
func plansBefore(ctx context.Context, b *base.Base, root lifecycle.SessionID, before lifecycle.Seq, log *files.Log) (map[lifecycle.SessionID]string, error) {
	ends, err := b.Store.ToolEnds(ctx, root, before, "todo")
	if err != nil {
		return nil, err
	}
	plans := map[lifecycle.SessionID]string{}
	for _, rec := range ends {
		plan, is := planOf(rec)
		if !is || rec.Session == root && !log.Stood(rec.Seq, before) {
			continue
		}
		if plans[rec.Session], err = inJSON(plan); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// planOf is the plan that a call of the todo tool has left.
func planOf(rec lifecycle.Record) ([]agent.TodoItem, bool) {
	end, is := rec.Event.(lifecycle.ToolEnded)
	if !is || end.Status != lifecycle.ToolOK {
		return nil, false
	}
	view, err := agent.DecodeView(end.View)
	if err != nil {
		return nil, false
	}
	todo, is := view.(agent.TodoView)
	return todo.Items, is
}

func inJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("keep a plan: %w", err)
	}
	return string(text), nil
}

// takeKept gives a session what was copied for it when it was forked, if that is still to be done.
func (h *Session) takeKept() {
	if err := base.TakeKept(h.Base, h.Root); err != nil {
		slog.Error("take what was copied for a fork", "session", h.Root, "error", err)
	}
}
