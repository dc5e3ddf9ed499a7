package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// demoFile is the only file that the demo ever writes.
const demoFile = "pawl-demo.txt"

// demoCommand is the only command that the demo ever runs. It changes nothing, and is not
// among those that need no question, so that one is seen.
const demoCommand = "sleep 1; ls -la"

// feature is something the demo shows when the user's message holds its word.
type feature func(req agent.Request, word string) Turn

// featureOf finds the feature of a message, the one that stops things first.
func featureOf(prompt string) (show feature, word string, found bool) {
	for _, f := range []struct {
		words []string
		show  feature
	}{
		{[]string{"stop"}, showStop},
		{[]string{"again"}, showAgain},
		{[]string{"foreground", "wait"}, showForeground},
		{[]string{"write", "edit"}, showWrite},
		{[]string{"shell", "run"}, showShell},
	} {
		if word, ok := mentions(prompt, f.words...); ok {
			return f.show, word, true
		}
	}
	return nil, "", false
}

func showAgain(req agent.Request, _ string) Turn {
	text := "DEMO: three surveys, each in a session of its own; nothing was started before."
	if again(req.Messages) != "" {
		text = "DEMO: the same three surveys again, in new sessions."
	}
	return Turn{Text: text, Calls: fanOut(true, surveys()...)}
}

func showForeground(_ agent.Request, word string) Turn {
	return Turn{
		Text: fmt.Sprintf("DEMO: %q shows a foreground subagent: my call waits for its result. "+
			"Meanwhile Esc stops it, Ctrl+B sends it to the background.", word),
		Calls: fanOut(false, surveys()[0]),
	}
}

func showStop(req agent.Request, word string) Turn {
	if !offers(req, "agent_list") || !offers(req, "agent_stop") {
		return missing(word, "agent_list and agent_stop")
	}
	return Turn{
		Text:  fmt.Sprintf("DEMO: %q makes me stop my subagents with agent_stop. First I look which of them run.", word),
		Calls: []agent.Call{call("agent_list", map[string]any{})},
	}
}

func showShell(req agent.Request, word string) Turn {
	if !offers(req, "shell") {
		return missing(word, "shell")
	}
	return Turn{
		Text: fmt.Sprintf("DEMO: %q shows a command. I ask for `%s`, which changes nothing; "+
			"whether you are asked first depends on the permission mode.", word, demoCommand),
		Calls: []agent.Call{call("shell", map[string]any{"command": demoCommand})},
	}
}

func showWrite(req agent.Request, word string) Turn {
	if !offers(req, "write") {
		return missing(word, "write")
	}
	return Turn{
		Text: fmt.Sprintf("DEMO: %q shows a change of a file. I ask to write %s and touch nothing else; "+
			"whether you see the diff first depends on the permission mode.", word, demoFile),
		Calls: []agent.Call{write(req.Messages)},
	}
}

// write is the call that writes the demo's file. Each has its own text, so that
// there is a difference to show.
func write(messages []agent.Message) agent.Call {
	n := 1
	for _, a := range actsOf(messages) {
		if a.call.Name == "write" && !a.isError {
			n++
		}
	}
	content := fmt.Sprintf("Pawl's demo wrote this file to show what a change looks like.\nChange number %d of its session. You can delete it.\n", n)
	return call("write", map[string]any{"path": demoFile, "content": content})
}

// missing says that a feature cannot be shown here.
func missing(word, tools string) Turn {
	return Turn{Text: fmt.Sprintf("DEMO: %q would show %s, which this session does not have.", word, tools)}
}

// aboutCalls tells what the calls of the last answer gave, and goes on where a
// feature has a second half.
func aboutCalls(req agent.Request, n news) Turn {
	var turn Turn
	var lines []string
	var launched []act
	for _, a := range n.acts {
		switch a.call.Name {
		case "agent":
			launched = append(launched, a)
		case "agent_stop":
			lines = append(lines, aboutStop(a))
		case "agent_list":
			text, calls := stopAll(a)
			lines, turn.Calls = append(lines, text), append(turn.Calls, calls...)
		case "write":
			if a.isError && strings.Contains(a.text, "read it first") && offers(req, "read") {
				lines = append(lines, demoFile+" stands here already, so I read it before I ask to replace it.")
				turn.Calls = append(turn.Calls, call("read", map[string]any{"path": demoFile}))
				continue
			}
			lines = append(lines, aboutEffect(a))
		case "read":
			if a.isError {
				lines = append(lines, aboutEffect(a))
				continue
			}
			lines, turn.Calls = append(lines, "Now the change."), append(turn.Calls, write(req.Messages))
		default:
			lines = append(lines, aboutEffect(a))
		}
	}
	if len(launched) > 0 {
		lines = append(lines, aboutLaunches(launched))
	}
	turn.Text = paragraphs(lines)
	return turn
}

// aboutEffect tells what a call did, or that it did nothing.
func aboutEffect(a act) string {
	if a.isError {
		return fmt.Sprintf("%s was not done: %s.", a.call.Name, firstSentence(a.text))
	}
	lines := strings.Count(strings.TrimSpace(a.text), "\n") + 1
	return fmt.Sprintf("%s was done. Its result has %s: %s", a.call.Name, words.Count(lines, "line"), code(firstLine(a.text)))
}

func aboutStop(a act) string {
	r, ok := parseReply(a)
	switch {
	case !ok:
		return "agent_stop did not stop one: " + firstLine(a.text)
	case !r.Status.Terminal():
		return "One was asked to stop and is still ending. I will tell you when it has."
	case r.Status == lifecycle.StateCanceledByAgent:
		return "One is stopped. Its state is canceled_by_agent; had you pressed x, it would be canceled_by_user."
	}
	return fmt.Sprintf("One had ended before I could stop it: %s stands.", r.Status)
}

// stopAll stops what a list of agents shows alive.
func stopAll(a act) (text string, calls []agent.Call) {
	var list struct {
		Agents []struct {
			Agent       lifecycle.SessionID `json:"agent_id"`
			Description string              `json:"description"`
			Status      lifecycle.State     `json:"status"`
		} `json:"agents"`
	}
	if err := json.Unmarshal([]byte(a.text), &list); a.isError || err != nil {
		return "I could not see which subagents run: " + firstLine(a.text), nil
	}
	var names []string
	for _, one := range list.Agents {
		if one.Status == lifecycle.StateQueued || one.Status == lifecycle.StateRunning {
			names = append(names, fmt.Sprintf("%q (%s)", one.Description, one.Status))
			calls = append(calls, call("agent_stop", map[string]any{"agent_id": one.Agent, "reason": "the user asked the demo to stop"}))
		}
	}
	if len(calls) == 0 {
		return "None of my subagents is queued or running, so there is nothing to stop.", nil
	}
	return "I stop " + strings.Join(names, ", ") + ".", calls
}
