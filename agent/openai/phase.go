package openai

import (
	"github.com/openai/openai-go/v3/responses"

	"pawl/agent"
)

// phaseID marks a thought that is none: the phase of the text behind it.
// OpenAI's newer models want it back with each of their messages, and think worse
// without it.
const phaseID = "phase"

func phasePart(phase string) agent.Part {
	return agent.Part{Thinking: &agent.Thinking{ID: phaseID, Signature: phase, Redacted: true, Provider: name}}
}

// phaseOf reads what phasePart wrote.
func phaseOf(t agent.Thinking) (phase responses.ResponseOutputMessagePhase, ok bool) {
	return responses.ResponseOutputMessagePhase(t.Signature), t.Provider == name && t.ID == phaseID
}
