package hook

import (
	"fmt"

	"pawl/agent"
	"pawl/internal/words"
)

// Events lists the moments at which a hook can be asked.
func Events() []agent.HookEvent {
	return []agent.HookEvent{
		agent.HookPermissionRequest, agent.HookPreToolUse, agent.HookPostToolUse, agent.HookSubagentStart,
		agent.HookSubagentStop, agent.HookSessionStart, agent.HookStop, agent.HookNotification,
	}
}

// ParseEvent reads an event by its name. The error names the nearest.
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

// powers are what the answers to an event can do.
type powers struct {
	deny    bool // refuse, hold back, or object
	ask     bool // have a person asked
	allow   bool // spare a person the question
	context bool // tell the model something
	// decides says that the answer decides about a call: what looks like half an answer
	// is a failure then.
	decides bool
}

func powersOf(event agent.HookEvent) powers {
	switch event {
	case agent.HookPermissionRequest:
		return powers{deny: true, ask: true, allow: true, decides: true}
	case agent.HookPreToolUse: // its allow is a pass: the rules go before it
		return powers{deny: true, ask: true, allow: true, context: true, decides: true}
	case agent.HookPostToolUse, agent.HookSubagentStart:
		return powers{deny: true, context: true}
	case agent.HookStop, agent.HookSubagentStop:
		return powers{deny: true}
	case agent.HookSessionStart:
		return powers{context: true}
	case agent.HookNotification:
		return powers{}
	}
	return powers{}
}

// The sorts of start and of notification.
const (
	KindStartup   = "startup"
	KindResume    = "resume"
	KindQuestion  = "permission_prompt"
	KindCompleted = "agent_completed"
)
