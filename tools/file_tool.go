package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"pawl/agent"
	"pawl/agent/diff"
	"pawl/tools/workspace"
)

// errCanceled is the result of a call that was stopped while it looked at files.
var errCanceled = errors.New("canceled before it was done; there are no results")

// reading makes a tool that only looks: its error is the call's result. label is
// the field of the input that stands for a call.
func reading[T any](in input[T], label string, look func(context.Context, T) (agent.Result, error)) agent.Tool {
	return agent.Tool{
		Spec:     in.spec(),
		ReadOnly: true,
		Label:    labelOf(label),
		Run: in.run(func(ctx context.Context, _ agent.Invocation, args T) (agent.Result, error) {
			return look(ctx, args)
		}),
	}
}

// changing makes a tool that changes one file, by a plan that is shown to whoever
// is asked and made only as it was shown.
func changing[T any](w *workspace.Workspace, in input[T], plan func(T) (workspace.Change, error)) agent.Tool {
	planned := func(call agent.Invocation) func() (workspace.Change, error) {
		return func() (workspace.Change, error) {
			args, err := in.decode(call.Input)
			if err != nil {
				return workspace.Change{}, err
			}
			return plan(args)
		}
	}
	return agent.Tool{
		Spec:  in.spec(),
		Label: labelOf("path"),
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			c, err := w.Preview(call.Call, planned(call))
			if err != nil {
				return agent.Effect{}, err
			}
			return agent.Effect{Kind: agent.EffectEdit, Subject: c.Path, View: viewOf(c), AlwaysAsk: w.Delicate(c)}, nil
		},
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			c, err := w.Apply(call.Run, call.Call, planned(call))
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			view := viewOf(c)
			return agent.Result{
				Text: fmt.Sprintf("%s (+%d -%d lines).", c.Note, view.Added, view.Removed) + uncovered(c), View: view,
				Wrote: filepath.Join(w.Folder(), filepath.FromSlash(c.Path)),
				Files: c.Changed, OnRecorded: c.OnRecorded,
			}
		},
	}
}

// uncovered says that a change cannot be taken back, and why.
func uncovered(c workspace.Change) string {
	if c.Changed == nil {
		return ""
	}
	for _, file := range c.Changed.Files {
		if file.Uncovered != "" {
			return " What it replaced is not kept: " + file.Uncovered + "."
		}
	}
	return ""
}

func viewOf(c workspace.Change) agent.DiffView {
	if c.Old == nil {
		view := diff.Of(c.Path, "", string(c.Data))
		view.New = true
		return view
	}
	return diff.Of(c.Path, string(c.Old.Data), string(c.Data))
}
