package script

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// keys is how the demo tells what can be done with what it has started.
const keys = "↓ then Enter looks into one, m speaks to one, x (or Esc Esc) stops it, Ctrl+S exports this session."

// more is how the demo tells what else it can show.
const more = "Say again, foreground, shell, write or stop to see more."

// Demo is the model that Pawl opens on without a key. It is a script and says so:
// in the user's own session it fans out subagents, tells how each of them ended,
// and shows a feature when it is asked for one (see Feature words in the package
// comment); as a subagent it works through one of three surveys of the folder
// with real tools and reports what they gave.
func Demo() Model {
	return func(req agent.Request) Turn {
		switch {
		case agent.AsksForSummary(req):
			return Turn{Text: bare(req.Messages[:len(req.Messages)-1])}
		case len(req.Tools) == 0:
			return Turn{Text: bare(req.Messages)}
		case isRoot(req):
			return root(req)
		}
		return subagent(req)
	}
}

// bare answers a request without tools: somebody wants words, a summary or a title.
func bare(messages []agent.Message) string {
	text := fmt.Sprintf("Pawl's DEMO script wrote this. It cannot summarize what it does not understand; the conversation had %s", words.Count(len(messages), "message"))
	for _, m := range slices.Backward(messages) {
		if m.Role == agent.RoleUser {
			return text + ", the newest from the user: " + quote(m.Text()) + "."
		}
	}
	return text + "."
}

// root is the answer in the user's own session: what came in is told in the order
// in which it did, then the user's message is answered.
func root(req agent.Request) Turn {
	n, kin := latest(req.Messages), familyOf(req.Messages)
	var turn Turn
	var said []string
	add := func(t Turn) {
		if t.Text != "" {
			said = append(said, t.Text)
		}
		turn.Calls = append(turn.Calls, t.Calls...)
	}
	add(aboutCalls(req, n))
	due, notices := kin.summaryDue(n), n.notices
	if due && len(notices) > 1 { // the summary tells of them; it knows nothing of shells
		notices = slices.DeleteFunc(slices.Clone(notices), func(n notice) bool { return n.kind == "" })
	}
	add(Turn{Text: aboutNotices(notices)})
	if due {
		add(Turn{Text: kin.open().summary()})
	}
	switch {
	case len(n.prompts) > 0:
		add(onPrompt(req, n.prompts[len(n.prompts)-1]))
	case len(n.acts)+len(n.notices) == 0:
		add(Turn{Text: "This is Pawl's DEMO script. Write anything and it starts three subagents. " + more})
	}
	turn.Text = paragraphs(said)
	return turn
}

// onPrompt answers what the user wrote.
func onPrompt(req agent.Request, prompt string) Turn {
	first := !slices.ContainsFunc(req.Messages, func(m agent.Message) bool { return m.Role == agent.RoleAssistant })
	show, word, found := featureOf(prompt)
	if found && (!first || strings.EqualFold(strings.TrimSpace(prompt), word)) {
		return show(req, word)
	}
	opening := "DEMO: I am a script, no model; nothing here is thought up. What I show is real: three subagents with real tools go over this folder, side by side, in the background."
	if !first {
		opening = "DEMO: I am a script and cannot act on " + quote(prompt) + ". I start the three surveys" + again(req.Messages) + ". " + more
	}
	return Turn{Text: opening, Calls: fanOut(true, surveys()...)}
}

// again is the word behind what is done once more: subagents were started before.
func again(messages []agent.Message) string {
	started := func(a act) bool { return a.call.Name == "agent" && !a.isError }
	if slices.ContainsFunc(actsOf(messages), started) {
		return " again"
	}
	return ""
}

// fanOut makes the calls that start surveys.
func fanOut(background bool, surveys ...survey) []agent.Call {
	var calls []agent.Call
	for _, s := range surveys {
		input := map[string]any{"description": s.name, "prompt": s.prompt, "subagent_type": agent.TypeExplore}
		if background {
			input["run_in_background"] = true
		}
		calls = append(calls, call("agent", input))
	}
	return calls
}

// aboutNotices tells which subagents ended, and how.
func aboutNotices(notices []notice) string {
	if len(notices) == 0 {
		return ""
	}
	var lines []string
	for _, n := range notices {
		if n.kind != "" {
			lines = append(lines, fmt.Sprintf("A background %s ended: %s.", n.kind, n.state))
			continue
		}
		c := child{description: n.description, state: n.state, clause: n.clause, output: n.result}
		line := c.fate() + "."
		if head := firstLine(n.result); n.state == lifecycle.StateCompleted && !n.allTerminal {
			line += " " + head
		}
		lines = append(lines, line)
	}
	if left := notices[len(notices)-1].remaining; left > 0 {
		lines = append(lines, fmt.Sprintf("Still queued or running: %d.", left))
	}
	return paragraphs(lines)
}
