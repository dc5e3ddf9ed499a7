package agent

import (
	"cmp"
	"context"
	"strings"

	"pawl/lifecycle"
)

// leave is what the rules say of a call that they do not refuse.
type leave struct {
	effect Effect
	ask    bool   // a person has to say yes
	why    string // the rules' own reason for that, if there is one, for the model
}

// permit decides whether a call may go ahead: by the rules, then by the hooks before
// any call, and where a question is left, by asking it. No result means yes; advice is
// what the hooks tell the model of the call.
func (t *turn) permit(ctx context.Context, tool Tool, call Invocation) (advice string, refused *Result, err error) {
	left, refused, err := t.ruled(ctx, tool, call)
	if err != nil || refused != nil {
		return "", refused, err
	}
	name, effect := tool.Spec.Name, left.effect
	said, err := t.hooked(ctx, Occasion{Event: HookPreToolUse, Call: call.of(name), Report: call.Report})
	if err != nil {
		return "", nil, err
	}
	q := lifecycle.Question{
		Call: call.Call, Tool: name, Subject: effect.Subject, View: EncodeView(effect.View), Effect: string(effect.Kind), Input: call.Input,
	}
	switch said.Decision {
	case HookDeny:
		return "", refuse(name, byHook(said.Reason)), t.port.Record(nil, lifecycle.PermissionDenied{
			Call: call.Call, Tool: name, Subject: effect.Subject, By: "hook", Reason: brief(said.Reason),
		})
	case HookAsk:
		q.Why, left.ask = cmp.Or(brief(said.Reason), "a hook wants it"), true
	case HookAllow, HookPass: // the rules have their say, whatever a hook allows
	}
	if !left.ask {
		return said.Context, nil, nil
	}
	refused, err = t.question(ctx, q, left)
	return said.Context, refused, err
}

// ruled is what the rules say of a call, or the result that says why it is not made.
func (t *turn) ruled(ctx context.Context, tool Tool, call Invocation) (leave, *Result, error) {
	name := tool.Spec.Name
	if tool.ReadOnly || tool.Effect == nil {
		return leave{effect: Effect{Subject: t.label(call.of(name))}}, nil, nil
	}
	effect, err := tool.Effect(ctx, call)
	if err != nil {
		fault := Fault(err.Error())
		return leave{}, &fault, nil
	}
	if t.kit.Permit == nil {
		return leave{effect: effect, ask: true}, nil, nil
	}
	allow, ask, reason := t.kit.Permit(effect)
	if allow || ask {
		return leave{effect, !allow, reason}, nil, nil
	}
	return leave{}, refuse(name, reason), t.port.Record(nil, lifecycle.PermissionDenied{
		Call: call.Call, Tool: name, Subject: effect.Subject, By: "rule", Reason: reason,
	})
}

// question asks whoever may answer. Nil, nil means yes.
func (t *turn) question(ctx context.Context, q lifecycle.Question, left leave) (*Result, error) {
	if t.kit.Propose != nil && q.Why == "" {
		q.Rules = t.kit.Propose(left.effect)
	}
	answer, err := t.port.Ask(ctx, q)
	switch {
	case err != nil || answer.Allow:
		return nil, err
	case answer.By == "nobody":
		return refuseUnasked(q.Tool, left.why), nil
	case answer.By == "person" && answer.Reason != "":
		return refuseFor(answer.Reason), nil
	case answer.By == "hook":
		return refuse(q.Tool, byHook(answer.Reason)), nil
	}
	return refuse(q.Tool, answer.Reason), nil
}

// byHook says whose reason it is, ready for a full stop.
func byHook(reason string) string {
	return "a hook of the user's refuses it: " + strings.TrimRight(reason, ". \n")
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
