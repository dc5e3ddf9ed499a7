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
	"pawl/internal/words"
	"pawl/lifecycle"
)

// conversation is what a request's messages tell.
type conversation struct {
	answers  int
	newest   string   // message of the user's
	openings []string // the messages that opened runs
	calls    []values // all that have results, with their fields
	done     []values // those of the run under way
	ends     []values // of subagents, since the last summary
	// What came in since the newest answer; listed is what agent_list showed to be alive.
	results, notices, listed []values
	prompts                  []string // what people, a parent or the loop wrote
}

func alive(v values) bool { return v["status"] == "queued" || v["status"] == "running" }

func read(messages []agent.Message) *conversation {
	c := &conversation{}
	var calls []agent.Call
	for _, m := range messages {
		switch m.Role {
		case agent.RoleAssistant:
			if c.allEnded() { // the answer is the summary
				c.ends = nil
			}
			c.answers, calls = c.answers+1, m.Calls()
			c.results, c.listed, c.notices, c.prompts = nil, nil, nil, nil
		case agent.RoleTool:
			for _, part := range m.Parts {
				if i := slices.IndexFunc(calls, func(call agent.Call) bool { return part.Result != nil && part.Result.Call == call.ID }); i >= 0 {
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
	v := values{}
	v.take(string(call.Input))
	if !r.IsError && v.take(r.Text) {
		var told struct {
			Status lifecycle.State
			Cause  lifecycle.Cause
			Error  *lifecycle.Failure
			Agents []json.RawMessage
		}
		_ = json.Unmarshal([]byte(r.Text), &told) // take has read it
		v["clause"] = agent.StateClause(told.Status, told.Cause, told.Error)
		var names []string
		for _, one := range told.Agents {
			if run := (values{}); run.take(string(one)) && alive(run) {
				c.listed, names = append(c.listed, run), append(names, fmt.Sprintf("%q (%s)", run["description"], run["status"]))
			}
		}
		v["names"] = strings.Join(names, ", ")
	}
	v["tool"], v["input"], v["text"], v["failed"] = call.Name, string(call.Input), r.Text, strconv.FormatBool(r.IsError)
	v["sentence"], v["lines"] = sentence(r.Text), strconv.Itoa(words.Lines(r.Text))
	if call.Name == "agent_stop" && lifecycle.State(v["status"]).Terminal() {
		v["stopped"] = "true"
		started := func(call values) bool { return call["tool"] == "agent" && call["agent_id"] == v["agent_id"] }
		if i := slices.IndexFunc(c.calls, started); i >= 0 {
			v["description"] = c.calls[i]["description"]
		}
		c.ends = append(c.ends, v)
	}
	c.calls, c.done, c.results = append(c.calls, v), append(c.done, v), append(c.results, v)
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

// heard adds a message. One that opens a run may instead take up one that was cut off.
func (c *conversation) heard(m agent.Message, opens bool) {
	text := m.Text()
	if opens && !continues(text) {
		c.done, c.openings = nil, append(c.openings, text)
	}
	if v := notification(text); v["status"] == "" && !agent.IsSummary(m) {
		c.newest, c.prompts = text, append(c.prompts, text)
	} else if v["status"] != "" {
		c.notices = append(c.notices, v)
		if v["kind"] == "" {
			c.ends = append(c.ends, v)
		}
	}
}

// allEnded says whether no subagent runs any more: Pawl said so, or each was stopped.
func (c *conversation) allEnded() bool {
	last := func(v values) bool { return v["all-terminal"] == "true" && v["kind"] == "" }
	other := func(v values) bool { return v["stopped"] == "" }
	return slices.ContainsFunc(c.notices, last) || len(c.results) > 0 && !slices.ContainsFunc(c.results, other)
}

// continues recognises what the loop tells a run that takes up where another was cut off.
func continues(text string) bool {
	return strings.HasPrefix(text, "Your last run was interrupted") || strings.HasPrefix(text, "Your last run failed")
}

// element is one of a notification. Nothing inside one is an element: Pawl escapes it.
var element = regexp.MustCompile(`<([a-z-]+)>([^<]*)</`)

// notification reads a message as one; the store sees to it that nobody can type one.
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
