package script

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// child is a subagent as its parent knows it: what the transcript told, and
// nothing else.
type child struct {
	call        lifecycle.CallID
	agent       lifecycle.SessionID
	description string
	state       lifecycle.State // empty: it was never started
	clause      string          // what Pawl says of the state, to follow the name
	output      string
	partial     bool
	refusal     string // why it was not started
	settled     bool   // the user has been given its whole story
}

// reply is what the tools of delegation answer, as far as it matters here.
type reply struct {
	Agent    lifecycle.SessionID `json:"agent_id"`
	Status   lifecycle.State     `json:"status"`
	Position int                 `json:"position"`
	Cause    lifecycle.Cause     `json:"cause"`
	Error    *lifecycle.Failure  `json:"error"`
	Warning  string              `json:"warning"`
	Output   string              `json:"output"`
	Partial  bool                `json:"output_is_partial"`
	Message  string              `json:"message"`
}

// clause is what Pawl says of the state, to follow the name.
func (r reply) clause() string {
	status := lifecycle.Status{State: r.Status, Cause: r.Cause, Error: r.Error}
	return status.Words(lifecycle.ForModel) + "."
}

// parseReply reads the result of a call of agent, agent_stop or the like. It is
// false for one that names no run: a refusal.
func parseReply(a act) (reply, bool) {
	var r reply
	if a.isError || json.Unmarshal([]byte(a.text), &r) != nil || r.Status == "" {
		return reply{}, false
	}
	return r, true
}

// family is all that a parent was told of its subagents.
type family []child

// familyOf reads a conversation from its beginning. What its last batch brought
// is in it, and not settled yet: the next answer does that.
func familyOf(messages []agent.Message) family {
	var all family
	cut := batches(messages)
	for i, batch := range cut {
		n := newsIn(batch)
		all = all.learn(n)
		if i < len(cut)-1 {
			all.settle(n)
		}
	}
	return all
}

// learn adds what came in.
func (f family) learn(n news) family {
	for _, a := range n.acts {
		switch a.call.Name {
		case "agent":
			f = f.launched(a)
		case "agent_stop":
			if r, ok := parseReply(a); ok {
				f = f.ended(child{
					agent: r.Agent, state: r.Status, clause: r.clause(),
					output: r.Output, partial: r.Partial,
				})
			}
		}
	}
	for _, n := range n.notices {
		if n.kind != "" {
			continue // a shell
		}
		f = f.ended(child{
			call: n.call, agent: n.agent, description: n.description,
			state: n.state, clause: n.clause, output: n.result, partial: n.partial,
		})
	}
	return f
}

// launched adds the subagent of an agent call.
func (f family) launched(a act) family {
	var in struct {
		Description string `json:"description"`
	}
	_ = json.Unmarshal(a.call.Input, &in) // a call without a name is shown without one
	c := child{call: a.call.ID, description: in.Description}
	r, ok := parseReply(a)
	if !ok {
		c.refusal = firstLine(a.text)
		return append(f, c)
	}
	c.agent, c.state, c.clause = r.Agent, r.Status, r.clause()
	c.output, c.partial = r.Output, r.Partial
	return append(f, c)
}

// ended replaces what was known of a subagent by newer word of it.
func (f family) ended(c child) family {
	i := slices.IndexFunc(f, func(known child) bool {
		return c.agent != "" && known.agent == c.agent || c.call != "" && known.call == c.call
	})
	if i < 0 {
		return append(f, c)
	}
	f[i].state, f[i].clause, f[i].output, f[i].partial, f[i].settled = c.state, c.clause, c.output, c.partial, false
	if f[i].description == "" {
		f[i].description = c.description
	}
	return f
}

// settle marks those whose whole story the answer to n tells.
func (f family) settle(n news) {
	all := f.summaryDue(n)
	for i := range f {
		toldAtOnce := slices.ContainsFunc(n.acts, func(a act) bool {
			return a.call.Name == "agent" && a.call.ID == f[i].call
		}) && !f[i].alive()
		f[i].settled = f[i].settled || all || toldAtOnce
	}
}

// summaryDue says whether the answer to n is to be the final summary: nothing
// runs any more, by Pawl's word or by the answers to agent_stop.
func (f family) summaryDue(n news) bool {
	if slices.ContainsFunc(n.notices, func(n notice) bool { return n.allTerminal && n.kind == "" }) {
		return true
	}
	stopped := slices.ContainsFunc(n.acts, func(a act) bool { return a.call.Name == "agent_stop" })
	return stopped && !slices.ContainsFunc(f.open(), child.alive)
}

// open lists those that were started and whose whole story has not been told.
func (f family) open() family {
	return slices.DeleteFunc(slices.Clone(f), func(c child) bool { return c.settled || c.state == "" })
}

// alive says whether a subagent was under way when it was last heard of.
func (c child) alive() bool {
	return c.state == lifecycle.StateQueued || c.state == lifecycle.StateRunning
}

// fate says in one clause, true to the state, what became of it: `"audit refunds"
// completed`. It has no full stop.
func (c child) fate() string {
	name := fmt.Sprintf("%q", c.description)
	switch c.state {
	case "":
		return name + " was not started: " + strings.TrimSuffix(c.refusal, ".")
	case lifecycle.StateCompleted:
		return name + " " + c.state.Words(lifecycle.ForPerson)
	case lifecycle.StateCompletedEmpty:
		return fmt.Sprintf("%s %s (%s)", name, c.state.Words(lifecycle.ForPerson), c.state)
	case lifecycle.StateQueued, lifecycle.StateRunning:
		return fmt.Sprintf("%s is %s, as far as I was told", name, c.state)
	case lifecycle.StateFailed, lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent, lifecycle.StateInterrupted:
		clause := strings.TrimSuffix(inFirstPerson.Replace(firstLine(c.clause)), ".")
		switch {
		case clause == "":
			return fmt.Sprintf("%s ended as %s", name, c.state)
		case strings.HasPrefix(clause, string(c.state)):
			return name + " " + clause
		}
		return fmt.Sprintf("%s %s (%s)", name, clause, c.state)
	}
	return fmt.Sprintf("%s ended in a state that this script does not know: %s", name, c.state)
}

// inFirstPerson turns what Pawl says to a model into what that model says.
var inFirstPerson = strings.NewReplacer("by you with", "by me with", "your own run", "my own run", "you stopped it", "I stopped it")
