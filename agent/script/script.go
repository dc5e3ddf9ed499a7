package script

import (
	"encoding/json"
	"time"

	"pawl/agent"
)

// Model says what a scripted model answers to a request. It is a function of the
// request alone: asked twice, it says the same, so a run that was stopped, retried
// or revived goes on where its transcript stands. The one exception is the
// "times" of a file's error (see Load). A Model may be called from any goroutine
// and must not keep or change what it is given.
type Model func(req agent.Request) Turn

// Turn is one answer of a model. The zero value is an answer that stops normally
// and says nothing.
type Turn struct {
	Text     string
	Thinking string
	Calls    []agent.Call // an empty ID is given one as it is sent
	Stop     agent.StopReason
	Err      error // ends the answer, after its text has been streamed

	Latency time.Duration // before the first word; 0 is the pace's
	Stall   time.Duration // after the last word, before the answer ends
}

// stop is why the turn ends: what it says or, where it does not, what its calls
// mean.
func (t Turn) stop() agent.StopReason {
	switch {
	case t.Stop != "":
		return t.Stop
	case len(t.Calls) > 0:
		return agent.StopToolCalls
	}
	return agent.StopEnd
}

// call makes a tool call of plain arguments. Equal arguments give equal bytes.
func call(tool string, input map[string]any) agent.Call {
	b, err := json.Marshal(input)
	if err != nil { // only our own literals come here
		panic("script: input of " + tool + ": " + err.Error())
	}
	return agent.Call{Name: tool, Input: b}
}
