package agent

import (
	"cmp"
	"context"
	"strings"

	"pawl/lifecycle"
)

// Decision is what the rules say about an effect. If it is neither allowed nor asked
// about, it is denied.
type Decision struct {
	Allow, Ask bool
	// Reason says why it is denied, for the model, or why it is asked about, for the
	// person, and for the model if there is nobody to ask. Empty if that is obvious.
	Reason string
	// AlwaysAsk says why the question comes up whatever a rule or the mode allows, for the
	// person, and for the model if there is nobody to ask.
	AlwaysAsk string
	// Environ and Closed are conditions of an Allow; see Invocation. With Ask, Closed says that the
	// closed sandbox refused this very command something before.
	Environ []string
	Closed  bool
	Reads   bool // with Closed
}

// permit decides whether a call may be made: by the rules, then the hooks, and if a question is
// left, by asking it. refused is nil for yes; advice is what the hooks tell the model about the
// call. A call that was allowed without a question gets the condition of that.
func (t *activeRun) permit(ctx context.Context, tool Tool, call *Invocation) (advice string, refused *Result, err error) {
	effect, decision, refused, err := t.applyRules(ctx, tool, *call)
	if err != nil || refused != nil {
		return "", refused, err
	}
	name := tool.Spec.Name
	result, err := t.runHooks(ctx, HookInput{Event: HookPreToolUse, Call: call.asCall(name), Report: call.Report})
	if err != nil {
		return "", nil, err
	}
	q := lifecycle.Question{
		Call: call.Call, Tool: name, Subject: effect.Subject, View: EncodeView(effect.View), Effect: string(effect.Kind), Input: call.Input,
		AlwaysAsk: decision.AlwaysAsk, Because: decision.Reason, Exact: decision.Closed,
	}
	switch result.Decision {
	case HookDeny:
		return "", refuse(name, hookReason(result.Reason)), t.port.Record(nil, lifecycle.PermissionDenied{
			Call: call.Call, Tool: name, Subject: effect.Subject, By: lifecycle.DeciderHook, Reason: brief(result.Reason),
		})
	case HookAsk:
		q.Why, decision.Ask = cmp.Or(brief(result.Reason), "a hook wants it"), true
	case HookAllow, HookPass: // a hook that allows does not overrule the rules
	}
	if !decision.Ask {
		call.Environ, call.Closed, call.Reads = decision.Environ, decision.Closed, decision.Reads
		return result.Context, nil, nil
	}
	refused, err = t.question(ctx, q, effect, cmp.Or(decision.Reason, q.Why, decision.AlwaysAsk))
	return result.Context, refused, err
}

// applyRules returns what the rules decide about a call, or the result of a denied one.
func (t *activeRun) applyRules(ctx context.Context, tool Tool, call Invocation) (Effect, Decision, *Result, error) {
	name := tool.Spec.Name
	if tool.ReadOnly || tool.Effect == nil {
		return Effect{Subject: t.label(call.asCall(name))}, Decision{Allow: true}, nil, nil
	}
	effect, err := tool.Effect(ctx, call)
	if err != nil {
		fault := ErrorResult(err.Error())
		return effect, Decision{}, &fault, nil
	}
	decision := Decision{Ask: true, AlwaysAsk: effect.AlwaysAsk}
	if t.kit.Permit != nil {
		decision = t.kit.Permit(effect)
	}
	if decision.Allow || decision.Ask {
		return effect, decision, nil, nil
	}
	return effect, decision, refuse(name, decision.Reason), t.port.Record(nil, lifecycle.PermissionDenied{
		Call: call.Call, Tool: name, Subject: effect.Subject, By: lifecycle.DeciderRule, Reason: decision.Reason,
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
	case answer.By == lifecycle.DeciderNobody:
		return refuseUnasked(q.Tool, why), nil
	case answer.By == lifecycle.DeciderPerson && answer.Reason != "":
		return refuseFor(answer.Reason), nil
	case answer.By == lifecycle.DeciderHook:
		return refuse(q.Tool, hookReason(answer.Reason)), nil
	}
	return refuse(q.Tool, answer.Reason), nil
}

// hookReason attributes a reason to a hook, without a full stop.
func hookReason(reason string) string {
	return "a user hook refused it: " + strings.TrimRight(reason, ". \n")
}

// refuseFor passes on what a person wrote with their no. It may say what to do instead.
func refuseFor(reason string) *Result {
	return deny("the user said no to this call, and wrote: " + reason + "\nDo as that says. Where it says nothing of how to go on, do not try to reach the same by another way.")
}

// refuseUnasked tells the model that a person would have to agree and none was there. why says
// why a person was needed, if it is not obvious. The user may still grant the call later.
func refuseUnasked(tool, why string) *Result {
	if why != "" {
		why = " (" + why + ")"
	}
	return deny("this needs a person's yes" + why + ", and nobody was there to be asked. Go on without it and do not try to reach the same by another way; if you need it, say in your answer what you need " + tool + " for: the user may grant it later, and you will be told.")
}

func refuse(tool, reason string) *Result {
	return deny(cmp.Or(reason, "the user said no to this call") + ". Do not try to reach the same by another way; go on without it, or say in your answer that you need " + tool + ".")
}

func deny(text string) *Result {
	r := ErrorResult("Denied: " + text)
	r.denied = true
	return &r
}
