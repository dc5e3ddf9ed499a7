package host

import (
	"context"

	"pawl/internal/app"
	"pawl/internal/landing"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// land carries out what a program asks for. The host does not leave meanwhile.
func (h *host) land(ctx context.Context, order headless.LandOrder) (line any, err error) {
	_, err = h.state.do(func() (lifecycle.Reply, error) {
		result, err := Land(ctx, h.session, order)
		if result.Plan != nil {
			line = result.Line()
		}
		return lifecycle.Reply{}, err
	})
	return line, err
}

// Land lands in a session as an order says, or says what landing would do, or sends back what cannot
// be merged. The result has the plan, if there is one, also beside an error.
func Land(ctx context.Context, session *app.Session, order headless.LandOrder) (landing.Result, error) {
	choice := landing.Choice{}
	for _, file := range order.Files {
		choice.Files = append(choice.Files, landing.Pick{Path: file})
	}
	switch {
	case order.DryRun:
		plan, err := session.LandingPlan(ctx, order.Session, choice)
		plan.Close()
		return landing.Result{Plan: plan}, err
	case order.SendBack:
		plan, err := session.SendBack(ctx, order.Session, choice)
		return landing.Result{Plan: plan}, err
	}
	return session.Land(ctx, order.Session, landing.Wish{Choice: choice, Commit: order.Commit, Message: order.Text})
}
