package script

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// conversation is what can be learnt from a request's messages.
type conversation struct {
	answers, writes int      // answers of the model, and files that it wrote
	newest          string   // the user's newest message
	openings        []string // the messages that started runs
	started         bool     // a subagent was started
	done            []values // finished calls of the current run, with their fields
	runs            []values // subagents' runs as last reported, since the last summary
	// What came in since the newest answer. A run that agent_list shows as alive is a
	// result too.
	results, notices []values
	prompts          []string // messages of people, a parent or the loop
}

func alive(v values) bool { return v["status"] == "queued" || v["status"] == "running" }

func read(messages []agent.Message) *conversation {
	c, calls := &conversation{}, []agent.Call{}
	for _, m := range messages {
		switch m.Role {
		case agent.RoleAssistant:
			ended := c.allEnded() // that answer was the summary, or reported what ended meanwhile
			c.runs = slices.DeleteFunc(c.runs, func(run values) bool { return ended || run["tool"] == "agent" && !alive(run) })
			c.answers, calls = c.answers+1, m.Calls()
			c.results, c.notices, c.prompts = nil, nil, nil
		case agent.RoleTool:
			for _, part := range m.Parts {
				if i := slices.IndexFunc(calls, func(call agent.Call) bool { return part.Result != nil && part.Result.Call == call.ID }); i >= 0 {
					c.addResult(calls[i], part.Result)
				}
			}
		case agent.RoleUser:
			if agent.IsInstructions(m) {
				continue
			}
			c.addMessage(m, len(calls) == 0 && len(c.prompts)+len(c.notices) == 0)
		}
	}
	return c
}

// addResult adds the result of a call.
func (c *conversation) addResult(call agent.Call, r *agent.CallResult) {
	v := values{}
	v.addFields(string(call.Input))
	if !r.IsError && v.addFields(r.Text) {
		var told struct {
			Status lifecycle.State
			Cause  lifecycle.Cause
			Error  *lifecycle.Failure
			Agents []json.RawMessage
		}
		_ = json.Unmarshal([]byte(r.Text), &told) // addFields has parsed it
		v["clause"] = lifecycle.Status{State: told.Status, Cause: told.Cause, Error: told.Error}.Words(lifecycle.ForModel) + "."
		for _, one := range told.Agents {
			if run := (values{"tool": "listed"}); run.addFields(string(one)) && alive(run) {
				c.results, v["alive"] = append(c.results, run), "true"
			}
		}
	}
	v["tool"], v["input"], v["text"], v["failed"] = call.Name, string(call.Input), r.Text, strconv.FormatBool(r.IsError)
	v["sentence"], v["lines"] = sentence(r.Text), strconv.Itoa(words.Lines(r.Text))
	if call.Name == "write" && !r.IsError {
		c.writes++
	}
	if (call.Name == "agent" || call.Name == "agent_stop") && v["status"] != "" {
		c.started = c.started || call.Name == "agent"
		c.updateRun(v)
	}
	c.done, c.results = append(c.done, v), append(c.results, v)
}

// updateRun replaces what is known of a run.
func (c *conversation) updateRun(v values) {
	if i := slices.IndexFunc(c.runs, func(run values) bool { return run["agent_id"] == v["agent_id"] }); i >= 0 {
		v["description"] = cmp.Or(c.runs[i]["description"], v["description"])
		c.runs[i] = v
	} else {
		c.runs = append(c.runs, v)
	}
}

// addFields adds the fields of a JSON object.
func (v values) addFields(text string) bool {
	var fields map[string]any
	err := json.Unmarshal([]byte(text), &fields)
	for name, value := range fields {
		v[name] = fmt.Sprint(value)
	}
	return err == nil
}

// addMessage adds a user message. One that opens a run may continue one that was cut off.
func (c *conversation) addMessage(m agent.Message, opens bool) {
	text := m.Text()
	if opens && !continues().MatchString(text) {
		c.done, c.openings = nil, append(c.openings, text)
	}
	switch v := notification(text); {
	case v["status"] == "" && len(m.Parts) > 0 && !agent.IsSummary(m):
		own := m.Parts[0].Text // what is attached comes behind it
		c.newest, c.prompts = own, append(c.prompts, own)
	case v["status"] != "":
		c.notices = append(c.notices, v)
		if v["kind"] == "" {
			c.updateRun(v)
		}
	}
}

// allEnded reports whether no subagent is running: Pawl said so, or each was stopped.
func (c *conversation) allEnded() bool {
	last := func(v values) bool { return v["all-terminal"] == "true" && v["kind"] == "" }
	stopped := func(v values) bool { return v["tool"] == "agent_stop" && v["status"] != "" }
	return slices.ContainsFunc(c.notices, last) || slices.ContainsFunc(c.results, stopped) && !slices.ContainsFunc(c.runs, alive)
}

// continues matches the loop's message to a run that continues one that was cut off.
var continues = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Your last run (was interrupted|failed)`) })

// element matches an element of a notification. They are not nested: Pawl escapes their
// content.
var element = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<([a-z-]+)>([^<]*)</`) })

// notification parses a message as one. People cannot forge one, because the store marks
// notifications.
func notification(text string) values {
	v := values{}
	_, body, _ := strings.Cut(text, "<task-notification>")
	for _, m := range element().FindAllStringSubmatch(body, -1) {
		v[m[1]] = html.UnescapeString(m[2])
	}
	v["agent_id"], v["output"], v["clause"] = v["task-id"], v["result"], strings.TrimPrefix(v["summary"], "Agent ")
	if quoted, err := strconv.QuotedPrefix(v["clause"]); err == nil {
		v["description"], _ = strconv.Unquote(quoted) // QuotedPrefix has checked it
		v["clause"] = v["clause"][len(quoted):]
	}
	return v
}

// sentence is the first sentence of a text, without back quotes and short enough for a screen.
func sentence(text string) string {
	first, _, _ := strings.Cut(words.FirstLine(text), ". ")
	return words.Cut(strings.ReplaceAll(strings.TrimSuffix(first, "."), "`", "'"), 160)
}
