package agent

import (
	"cmp"
	"context"
	"strings"

	"pawl/lifecycle"
)

// Decision is what the rules say of an effect. Neither allowed nor asked about, it is denied.
type Decision struct {
	Allow, Ask bool
	// Reason is why it is denied, for the model, or asked about, for the person and, where
	// nobody is there to be asked, for the model; empty where that is plain.
	Reason string
	// Delicate is for the person, and the model where there is none: why they are asked
	// whatever a rule or the mode allows.
	Delicate string
	// Environ is the condition of an Allow: as of Invocation.
	Environ []string
}

// permit decides whether a call may go ahead: by the rules, then by the hooks before
// any call, and where a question is left, by asking it. No result means yes; advice is
// what the hooks tell the model of the call. The call gets the condition of a yes that
// nobody was asked for.
func (t *activeRun) permit(ctx context.Context, tool Tool, call *Invocation) (advice string, refused *Result, err error) {
	effect, left, refused, err := t.applyRules(ctx, tool, *call)
	if err != nil || refused != nil {
		return "", refused, err
	}
	name := tool.Spec.Name
	said, err := t.runHooks(ctx, HookInput{Event: HookPreToolUse, Call: call.asCall(name), Report: call.Report})
	if err != nil {
		return "", nil, err
	}
	q := lifecycle.Question{
		Call: call.Call, Tool: name, Subject: effect.Subject, View: EncodeView(effect.View), Effect: string(effect.Kind), Input: call.Input,
		Delicate: left.Delicate, Because: left.Reason,
	}
	switch said.Decision {
	case HookDeny:
		return "", refuse(name, hookReason(said.Reason)), t.port.Record(nil, lifecycle.PermissionDenied{
			Call: call.Call, Tool: name, Subject: effect.Subject, By: "hook", Reason: brief(said.Reason),
		})
	case HookAsk:
		q.Why, left.Ask = cmp.Or(brief(said.Reason), "a hook wants it"), true
	case HookAllow, HookPass: // the rules have their say, whatever a hook allows
	}
	if !left.Ask {
		call.Environ = left.Environ
		return said.Context, nil, nil
	}
	refused, err = t.question(ctx, q, effect, cmp.Or(left.Reason, q.Why, left.Delicate))
	return said.Context, refused, err
}

// applyRules is what the rules say of a call, or the result that says why it is not made.
func (t *activeRun) applyRules(ctx context.Context, tool Tool, call Invocation) (Effect, Decision, *Result, error) {
	name := tool.Spec.Name
	if tool.ReadOnly || tool.Effect == nil {
		return Effect{Subject: t.label(call.asCall(name))}, Decision{Allow: true}, nil, nil
	}
	effect, err := tool.Effect(ctx, call)
	if err != nil {
		fault := Fault(err.Error())
		return effect, Decision{}, &fault, nil
	}
	left := Decision{Ask: true, Delicate: effect.Delicate}
	if t.kit.Permit != nil {
		left = t.kit.Permit(effect)
	}
	if left.Allow || left.Ask {
		return effect, left, nil, nil
	}
	return effect, left, refuse(name, left.Reason), t.port.Record(nil, lifecycle.PermissionDenied{
		Call: call.Call, Tool: name, Subject: effect.Subject, By: "rule", Reason: left.Reason,
	})
}

// question asks whoever may answer. Nil, nil means yes.
func (t *activeRun) question(ctx context.Context, q lifecycle.Question, effect Effect, why string) (*Result, error) {
	if t.kit.Propose != nil && q.Why == "" {
		q.Rules = t.kit.Propose(effect)
	}
	answer, err := t.port.Ask(ctx, q)
	switch {
	case err != nil || answer.Allow:
		return nil, err
	case answer.By == "nobody":
		return refuseUnasked(q.Tool, why), nil
	case answer.By == "person" && answer.Reason != "":
		return refuseFor(answer.Reason), nil
	case answer.By == "hook":
		return refuse(q.Tool, hookReason(answer.Reason)), nil
	}
	return refuse(q.Tool, answer.Reason), nil
}

// hookReason says whose reason it is, ready for a full stop.
func hookReason(reason string) string {
	return "a user hook refused it: " + strings.TrimRight(reason, ". \n")
}

// refuseFor tells the model why a person said no, in their words: they may be what to
// do instead.
func refuseFor(reason string) *Result {
	r := Fault(denied + "the user said no to this call, and wrote: " + reason + "\nDo as that says. Where it says nothing of how to go on, do not try to reach the same by another way.")
	return &r
}

// refuseUnasked tells the model that there was no person to ask, with and without a
// screen, and why one would have been, where that is not plain. It is no verdict: who
// reads of it later may still allow the call.
func refuseUnasked(tool, why string) *Result {
	if why != "" {
		why = " (" + why + ")"
	}
	r := Fault(denied + "this needs a person's yes" + why + ", and nobody was there to be asked. Go on without it and do not try to reach the same by another way; if you need it, say in your answer what you need " + tool + " for: the user may grant it later, and you will be told.")
	return &r
}

func refuse(tool, reason string) *Result {
	if reason == "" {
		reason = "the user said no to this call"
	}
	r := Fault(denied + reason + ". Do not try to reach the same by another way; go on without it, or say in your answer that you need " + tool + ".")
	return &r
}
