package script

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// conversation is what a request's messages tell.
type conversation struct {
	answers  int
	newest   string            // message of the user's
	openings []string          // the messages that opened runs
	calls    []act             // all that have results
	done     []act             // those of the run under way
	names    map[string]string // of subagents, by their id
	ends     []values          // of subagents, since the last summary

	// What came in since the newest answer: results, notifications, and what people, a
	// parent or the loop wrote.
	acts    []act
	notices []values
	prompts []string
}

// act is one tool call with what it gave.
type act struct {
	tool, input, text string
	failed            bool
	v                 values   // the fields of its input, and of its result if that is JSON
	agents            []values // in a result of agent_list: those that are queued or running
}

func alive(v values) bool { return v["status"] == "queued" || v["status"] == "running" }

func read(messages []agent.Message) *conversation {
	c := &conversation{names: map[string]string{}}
	var calls []agent.Call
	for _, m := range messages {
		switch m.Role {
		case agent.RoleAssistant:
			if c.allEnded() { // the answer is the summary
				c.ends = nil
			}
			c.answers, c.acts, c.notices, c.prompts, calls = c.answers+1, nil, nil, nil, m.Calls()
		case agent.RoleTool:
			for _, part := range m.Parts {
				i := slices.IndexFunc(calls, func(call agent.Call) bool { return part.Result != nil && part.Result.Call == call.ID })
				if i >= 0 {
					c.gave(calls[i], part.Result)
				}
			}
		case agent.RoleUser:
			c.heard(m, len(calls) == 0 && len(c.prompts)+len(c.notices) == 0)
		}
	}
	return c
}

// gave adds what a call gave.
func (c *conversation) gave(call agent.Call, r *agent.CallResult) {
	a := act{tool: call.Name, input: string(call.Input), text: r.Text, failed: r.IsError, v: values{}}
	a.v.take(a.input)
	if !r.IsError && a.v.take(r.Text) { // a failed call, or text that is no JSON, has no fields
		var told struct {
			Status lifecycle.State
			Cause  lifecycle.Cause
			Error  *lifecycle.Failure
			Agents []json.RawMessage
		}
		_ = json.Unmarshal([]byte(r.Text), &told) // take has read it
		a.v["clause"] = agent.StateClause(told.Status, told.Cause, told.Error)
		var names []string
		for _, one := range told.Agents {
			if v := (values{}); v.take(string(one)) && alive(v) {
				a.agents = append(a.agents, v)
				names = append(names, fmt.Sprintf("%q (%s)", v["description"], v["status"]))
			}
		}
		if told.Agents != nil {
			a.v["alive"], a.v["names"] = strconv.Itoa(len(names)), strings.Join(names, ", ")
		}
	}
	switch id := a.v["agent_id"]; {
	case a.tool == "agent":
		c.names[id] = a.v["description"]
	case a.stopped():
		a.v["description"] = c.names[id]
		c.ends = append(c.ends, a.v)
	}
	c.calls, c.done, c.acts = append(c.calls, a), append(c.done, a), append(c.acts, a)
}

// take adds the fields of a JSON object.
func (v values) take(text string) bool {
	var fields map[string]any
	err := json.Unmarshal([]byte(text), &fields)
	for name, value := range fields {
		v[name] = fmt.Sprint(value)
	}
	return err == nil
}

// stopped says whether the call stopped a subagent, or found it ended.
func (a act) stopped() bool {
	return a.tool == "agent_stop" && lifecycle.State(a.v["status"]).Terminal()
}

// heard adds a message. One that opens a run begins it anew, unless it takes up a run
// that was cut off.
func (c *conversation) heard(m agent.Message, opens bool) {
	text := m.Text()
	if opens && !continues(text) {
		c.done, c.openings = nil, append(c.openings, text)
	}
	switch v := notification(text); {
	case v["status"] != "":
		c.notices = append(c.notices, v)
		if v["kind"] == "" {
			c.ends = append(c.ends, v)
		}
	case !agent.IsSummary(m):
		c.newest, c.prompts = text, append(c.prompts, text)
	}
}

// allEnded says whether no subagent runs any more, by Pawl's word or since each that ran
// was stopped.
func (c *conversation) allEnded() bool {
	last := func(v values) bool { return v["all-terminal"] == "true" && v["kind"] == "" }
	going := func(a act) bool { return !a.stopped() }
	return slices.ContainsFunc(c.notices, last) || len(c.acts) > 0 && !slices.ContainsFunc(c.acts, going)
}

// continues recognises what the loop tells a run that takes up where another was cut off.
// Should its words change, the run merely starts over.
func continues(text string) bool {
	return strings.HasPrefix(text, "Your last run was interrupted") || strings.HasPrefix(text, "Your last run failed")
}

// element is one of a notification. Nothing inside one is an element: Pawl escapes it.
var element = regexp.MustCompile(`<([a-z-]+)>([^<]*)</`)

// notification reads a message as one. A model has nothing but the text to tell it by;
// that nobody can type one is the store's business.
func notification(text string) values {
	v := values{}
	_, body, _ := strings.Cut(text, "<task-notification>")
	for _, m := range element.FindAllStringSubmatch(body, -1) {
		v[m[1]] = html.UnescapeString(m[2])
	}
	v["output"], v["clause"] = v["result"], strings.TrimPrefix(v["summary"], "Agent ")
	if quoted, err := strconv.QuotedPrefix(v["clause"]); err == nil {
		v["description"], _ = strconv.Unquote(quoted) // QuotedPrefix has checked it
		v["clause"] = v["clause"][len(quoted):]
	}
	return v
}
