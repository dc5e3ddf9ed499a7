package host

import (
	"context"

	"pawl/internal/app"
	"pawl/internal/rewind"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// rewind carries out what a program asks for. The host does not leave meanwhile.
func (h *host) rewind(ctx context.Context, order headless.RewindOrder) (line any, err error) {
	_, err = h.state.do(func() (lifecycle.Reply, error) {
		result, err := Rewind(ctx, h.session, order)
		if err == nil {
			line = result
		}
		return lifecycle.Reply{}, err
	})
	return line, err
}

// Rewind takes a session back as an order says, or says what that would do, or to where it can be.
func Rewind(ctx context.Context, session *app.Session, order headless.RewindOrder) (rewind.Result, error) {
	if order.To == 0 {
		points, err := session.RewindPoints(ctx)
		return rewind.ResultOfPoints(points), err
	}
	conversation, files := order.Taken()
	var plan rewind.Plan
	var err error
	if files {
		plan, err = session.RewindPlan(ctx, order.To, order.Session)
		if err == nil {
			plan, err = plan.With(order.Force)
		}
	}
	result := rewind.ResultOfPlan(plan)
	result.To = order.To
	if err != nil || order.DryRun {
		return result, err
	}
	rewound, err := session.Rewind(ctx, app.RewindChoice{
		To: order.To, Conversation: conversation, Files: files, Only: order.Session, Chosen: order.Force,
	})
	result.Rewound = &rewound
	return result, err
}
