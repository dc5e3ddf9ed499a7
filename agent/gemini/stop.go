package gemini

import (
	"slices"

	"pawl/agent"
)

// malformed reports whether a finish reason means that the model botched a call and there
// is no answer. Asking again usually helps.
func malformed(reason string) bool {
	return slices.Contains([]string{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"}, reason)
}

// stopReason maps Gemini's reasons. It has none for calls.
func stopReason(reason string, calls bool) agent.StopReason {
	switch reason {
	case "STOP":
		if calls {
			return agent.StopToolCalls
		}
		return agent.StopEnd
	case "MAX_TOKENS", "CONTINUATION":
		return agent.StopLength
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return agent.StopRefused
	}
	return agent.StopUnknown // OTHER, TOO_MANY_TOOL_CALLS, those about images, future ones
}
