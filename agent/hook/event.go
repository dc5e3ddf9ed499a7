package hook

import (
	"fmt"

	"pawl/agent"
	"pawl/internal/words"
)

// Events lists the events for which hooks can be run.
func Events() []agent.HookEvent {
	return []agent.HookEvent{
		agent.HookPermissionRequest, agent.HookPreToolUse, agent.HookPostToolUse, agent.HookSubagentStart,
		agent.HookSubagentStop, agent.HookSessionStart, agent.HookStop, agent.HookNotification, agent.HookNeedsInput, agent.HookAllEnded,
	}
}

// ParseEvent parses an event's name. The error suggests the nearest one.
func ParseEvent(name string) (agent.HookEvent, error) {
	var names []string
	for _, event := range Events() {
		if string(event) == name {
			return event, nil
		}
		names = append(names, string(event))
	}
	if name == "" {
		return "", fmt.Errorf(`it has no event: write one, such as event = "PreToolUse"`)
	}
	return "", fmt.Errorf("unknown event %q%s", name, words.DidYouMean(name, names))
}

// powers are the effects that answers to an event can have.
type powers struct {
	deny    bool // refuse, prevent, or object
	ask     bool // have a person asked
	allow   bool // allow without a question to a person
	context bool // add text for the model
	// decides says that the answer decides about a call, so that text resembling JSON must
	// be a valid answer.
	decides bool
}

func powersOf(event agent.HookEvent) powers {
	switch event {
	case agent.HookPermissionRequest:
		return powers{deny: true, ask: true, allow: true, decides: true}
	case agent.HookPreToolUse: // allow means pass: the rules have been applied already
		return powers{deny: true, ask: true, allow: true, context: true, decides: true}
	case agent.HookPostToolUse, agent.HookSubagentStart:
		return powers{deny: true, context: true}
	case agent.HookStop, agent.HookSubagentStop:
		return powers{deny: true}
	case agent.HookSessionStart:
		return powers{context: true}
	case agent.HookNotification, agent.HookNeedsInput, agent.HookAllEnded:
	}
	return powers{}
}

// The kinds of start and of notification.
const (
	KindStartup   = "startup"
	KindResume    = "resume"
	KindQuestion  = "permission_prompt"
	KindCompleted = "agent_completed"
)
