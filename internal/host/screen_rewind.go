package host

import (
	"context"
	"fmt"

	"pawl/internal/app"
	"pawl/internal/rewind"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/ui"
	asked "pawl/ui/rewind"
	"pawl/ui/wording"
)

// screenRewind gives the screen what /rewind needs.
func (h *screen) screenRewind(options *ui.Options) {
	options.RewindPoints = func(ctx context.Context) ([]asked.Point, error) {
		found, err := h.RewindPoints(ctx)
		points := make([]asked.Point, len(found))
		for i, p := range found {
			points[i] = asked.Point{Seq: p.Seq, Time: p.Time, Kind: string(p.Kind), Text: p.Text, Changed: p.Changed}
		}
		return points, err
	}
	options.RewindPlan = func(ctx context.Context, to lifecycle.Seq, only lifecycle.SessionID) (asked.Plan, error) {
		plan, err := h.RewindPlan(ctx, to, only)
		if err != nil {
			return asked.Plan{}, err
		}
		snapshot, err := h.Supervisor.Snapshot(h.Root)
		return planFor(plan, snapshot.Runs), err
	}
	options.Rewind = func(ctx context.Context, choice asked.Choice) (asked.Done, error) {
		rewound, err := h.Rewind(ctx, app.RewindChoice(choice))
		if err != nil {
			return asked.Done{}, err
		}
		done := asked.Done{Words: rewind.Says(rewound)}
		if choice.Conversation {
			done.Text, err = h.promptAt(ctx, choice.To)
		}
		return done, err
	}
}

// promptAt is the text of the prompt that stands at a record; empty: it is none.
func (h *screen) promptAt(ctx context.Context, seq lifecycle.Seq) (string, error) {
	points, err := h.RewindPoints(ctx)
	if err != nil {
		return "", fmt.Errorf("taken back; the prompt could not be read: %w", err)
	}
	for _, p := range points {
		if p.Seq == seq && p.Kind == files.AtPrompt {
			return p.Text, nil
		}
	}
	return "", nil
}

func planFor(plan rewind.Plan, runs []lifecycle.Run) asked.Plan {
	names := map[lifecycle.RunID]string{}
	for _, run := range runs {
		names[run.ID] = "main agent"
		if run.Child() {
			names[run.ID] = wording.Name(run).String()
		}
	}
	var p asked.Plan
	for _, f := range plan.Files {
		one := asked.File{Path: f.Path, State: asked.State(f.State), Why: f.Why, Removed: f.Want.Kind == lifecycle.FileNone}
		known := map[string]bool{}
		for _, run := range f.Writers {
			if name := names[run]; name != "" && !known[name] {
				known[name] = true
				one.Writers = append(one.Writers, name)
			}
		}
		p.Files = append(p.Files, one)
	}
	return p
}
