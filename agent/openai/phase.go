package openai

import "pawl/agent"

// phaseID marks a Thinking that is really the phase of the text after it. OpenAI's newer
// models want it back with each of their messages, and think worse without it.
const phaseID = "phase"

func phasePart(phase string) agent.Part {
	return agent.Part{Thinking: &agent.Thinking{ID: phaseID, Signature: phase, Redacted: true, Provider: name}}
}

// phaseOf reads what phasePart wrote.
func phaseOf(t agent.Thinking) (phase string, ok bool) {
	return t.Signature, t.Provider == name && t.ID == phaseID
}
