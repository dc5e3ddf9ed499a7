package script

import (
	"slices"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// act is one tool call of a conversation with what it gave.
type act struct {
	call    agent.Call
	text    string
	isError bool
}

// news is what came in since the model's last answer.
type news struct {
	acts    []act
	prompts []string // what people, a parent or the loop wrote
	notices []notice
}

// newsIn reads messages that hold no more than one answer of the model: that
// answer's calls are the acts, what follows it is new.
func newsIn(batch []agent.Message) news {
	n := news{acts: actsOf(batch)}
	for _, m := range batch {
		if m.Role != agent.RoleUser || agent.IsSummary(m) {
			continue
		}
		if notice, ok := parseNotice(m.Text()); ok {
			n.notices = append(n.notices, notice)
		} else {
			n.prompts = append(n.prompts, m.Text())
		}
	}
	return n
}

// batches cuts a conversation before each answer of the model. The first batch
// has none and may be empty.
func batches(messages []agent.Message) [][]agent.Message {
	var all [][]agent.Message
	start := 0
	for i, m := range messages {
		if m.Role == agent.RoleAssistant {
			all = append(all, messages[start:i])
			start = i
		}
	}
	return append(all, messages[start:])
}

// latest is what came in since the model's last answer.
func latest(messages []agent.Message) news {
	all := batches(messages)
	return newsIn(all[len(all)-1])
}

// actsOf lists the answered calls in the order in which they were made.
func actsOf(messages []agent.Message) []act {
	results := map[lifecycle.CallID]*agent.CallResult{}
	for _, m := range messages {
		for _, part := range m.Parts {
			if part.Result != nil {
				results[part.Result.Call] = part.Result
			}
		}
	}
	var acts []act
	for _, m := range messages {
		for _, call := range m.Calls() {
			if r := results[call.ID]; r != nil {
				acts = append(acts, act{call: call, text: r.Text, isError: r.IsError})
			}
		}
	}
	return acts
}

// currentRun is the end of a conversation that belongs to the run under way: all
// since the last answer that asked for nothing. An answer that was cut off and
// then continued does not end a run.
func currentRun(messages []agent.Message) []agent.Message {
	for i := len(messages) - 2; i >= 0; i-- {
		m := messages[i]
		if m.Role == agent.RoleAssistant && len(m.Calls()) == 0 && !continues(messages[i+1].Text()) {
			return messages[i+1:]
		}
	}
	return messages
}

// continues recognises what the loop tells a run that takes up where another was
// cut off. Should its words change, the run merely starts over.
func continues(text string) bool {
	return strings.HasPrefix(text, "Your last run was interrupted") || strings.HasPrefix(text, "Your last run failed")
}

// isRoot says whether a request is of the user's own session: only that one can
// delegate.
func isRoot(req agent.Request) bool { return offers(req, "agent") }

func offers(req agent.Request, tool string) bool {
	return slices.ContainsFunc(req.Tools, func(t agent.ToolSpec) bool { return t.Name == tool })
}

// mentions says whether one of the words stands in the text as a whole word, and
// which.
func mentions(text string, words ...string) (string, bool) {
	said := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	for _, word := range words {
		if slices.Contains(said, word) {
			return word, true
		}
	}
	return "", false
}
