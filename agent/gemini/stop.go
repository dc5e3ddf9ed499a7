package gemini

import (
	"google.golang.org/genai"

	"pawl/agent"
)

// stumbled tells the reasons that mean that the model stumbled over its own call
// and there is no answer. It is chance: asking again mostly helps.
func stumbled(reason genai.FinishReason) bool {
	switch reason {
	case genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall,
		"MALFORMED_RESPONSE": // no constant in the SDK
		return true
	default:
		return false
	}
}

// stopReason maps Gemini's reasons; it has none of its own for calls.
func stopReason(reason genai.FinishReason, calls bool) agent.StopReason {
	switch reason {
	case genai.FinishReasonStop:
		if calls {
			return agent.StopToolCalls
		}
		return agent.StopEnd
	case genai.FinishReasonMaxTokens, genai.FinishReasonContinuation:
		return agent.StopLength
	case genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonLanguage,
		genai.FinishReasonBlocklist, genai.FinishReasonProhibitedContent, genai.FinishReasonSPII,
		genai.FinishReasonImageSafety, genai.FinishReasonImageProhibitedContent, genai.FinishReasonImageRecitation,
		"MODEL_ARMOR": // no constant in the SDK
		return agent.StopRefused
	default: // OTHER, TOO_MANY_TOOL_CALLS, those about images, those to come
		return agent.StopUnknown
	}
}
