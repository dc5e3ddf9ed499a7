package app

import (
	"context"
	"errors"

	"pawl/agent"
	"pawl/internal/base"
	"pawl/lifecycle"
)

// Context is what the next run of a session of this root would send its model first. Where it cannot
// work any more, as in a folder that is gone, what was said is all that is known.
func (h *Session) Context(ctx context.Context, session lifecycle.SessionID) (agent.Context, error) {
	if _, err := h.Opening.Wait(ctx); err != nil {
		return agent.Context{}, err
	}
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return agent.Context{}, err
	}
	run, ran := snapshot.Latest(session)
	if !ran {
		run = lifecycle.Run{Session: session, Spec: lifecycle.Spec{Root: h.Root, Folder: h.World.Folder}}
	}
	if run.Shell() {
		return agent.Context{}, errors.New("a command has no context")
	}
	if !run.Subagent() {
		run.Model = h.Choices.Model()
	}
	c := agent.Context{Model: run.Model, Limit: int64(h.Models.Info(run.Model).Context)}
	kit, err := h.kit(ctx, run)
	if err != nil {
		c.Unknown = "not known: " + base.OneLine(err.Error())
	} else {
		defer kit.Close()
		c.Parts = agent.ContextOf(kit)
	}
	entries, err := h.Store.Entries(ctx, session)
	if err != nil {
		return c, err
	}
	spoken, err := agent.SpokenIn(entries)
	c.Parts = append(c.Parts, agent.ConversationOf(spoken)...)
	return c, err
}
