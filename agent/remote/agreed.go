package remote

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"pawl/agent"
	"pawl/lifecycle"
)

// askedCall is a call that a worker asked about before it makes it.
type askedCall struct {
	id          lifecycle.CallID
	tool, input string
}

func (t *toolCall) asked() askedCall { return askedCall{t.Call, t.Tool, string(t.Input)} }

// agreed is what was said here about calls that a worker asked about. The zero value is nothing. Its
// methods may be called from any goroutine.
type agreed struct {
	mu    sync.Mutex
	yes   map[askedCall]bool
	hooks map[askedCall]agent.HookDecision
}

func (a *agreed) allow(call askedCall) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.yes == nil {
		a.yes = map[askedCall]bool{}
	}
	a.yes[call] = true
}

func (a *agreed) hooksSaid(call askedCall, decision agent.HookDecision) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hooks == nil {
		a.hooks = map[askedCall]agent.HookDecision{}
	}
	a.hooks[call] = decision
}

func (a *agreed) about(call askedCall) (allowed bool, hooks agent.HookDecision, hooked bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	hooks, hooked = a.hooks[call]
	return a.yes[call], hooks, hooked
}

// ask puts a worker's question, and remembers a yes. What the call of an MCP server's tool is about is
// found out here: the answer may come from a rule.
func (c *workerConn) ask(m fromWorker) (lifecycle.Answer, error) {
	if m.Question == nil {
		return lifecycle.Answer{}, errors.New("no question")
	}
	q := *m.Question
	q.Input = m.Input
	call := toolCall{Tool: q.Tool, Call: q.Call, Input: q.Input}
	if tool, err := c.toolAsked(&call); err == nil && c.guarded(tool) {
		effect, err := tool.Effect(c.ctx, c.invocation(m.ID, &call))
		if err != nil {
			return lifecycle.Answer{}, err
		}
		q = about(q, effect, c.host.Permit(effect))
	}
	answer, err := c.port.Ask(c.ctx, q)
	if err == nil && answer.Allow {
		c.agreed.allow(call.asked())
	}
	return answer, err
}

// about is a question with what a call would do.
func about(q lifecycle.Question, effect agent.Effect, decision agent.Decision) lifecycle.Question {
	q.Subject, q.View, q.Effect = effect.Subject, agent.EncodeView(effect.View), string(effect.Kind)
	q.AlwaysAsk, q.Because = decision.AlwaysAsk, decision.Reason
	return q
}

// guarded reports whether calls of a tool are permitted here too. A worker decides about its calls, but
// on another machine it may be anybody's, and those of an MCP server are made with the user's rights here.
func (c *workerConn) guarded(tool agent.Tool) bool {
	return c.host.Permit != nil && tool.Server != "" && !tool.ReadOnly && tool.Effect != nil
}

// refused is the result of a worker's call that may not be made; nil: it may.
func (c *workerConn) refused(tool agent.Tool, asked *toolCall, call agent.Invocation) *agent.Result {
	if !c.guarded(tool) {
		return nil
	}
	effect, err := tool.Effect(c.ctx, call)
	if err != nil {
		return refusal(err.Error())
	}
	decision := c.host.Permit(effect)
	if !decision.Allow && !decision.Ask {
		return refusal(cmp.Or(decision.Reason, "a rule denies it"))
	}
	allowed, hooks, hooked := c.agreed.about(asked.asked())
	if c.host.Hooks != nil && !hooked {
		hooks = c.host.Hooks(c.ctx, agent.HookInput{
			Event: agent.HookPreToolUse, Run: c.port.Run(), Call: agent.Call{ID: call.Call, Name: tool.Spec.Name, Input: call.Input}, Report: call.Report,
		}).Decision
	}
	switch {
	case hooks == agent.HookDeny:
		return refusal("a user hook refused it")
	case !decision.Ask && hooks != agent.HookAsk, allowed:
		return nil
	}
	answer, err := call.Ask(c.ctx, about(lifecycle.Question{Input: call.Input}, effect, decision))
	if err != nil || !answer.Allow {
		return refusal("the user said no to this call")
	}
	return nil
}

func refusal(why string) *agent.Result {
	result := agent.ErrorResult(fmt.Sprintf("Denied: %s. Do not try to reach the same by another way.", why))
	return &result
}
