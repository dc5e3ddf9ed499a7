package tools

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// The bounds of one agent_output answer, from the design: a wait that never
// blocks for long, and a transcript that never floods its reader.
const (
	maxWait            = 60 * time.Second
	transcriptMessages = 50
	transcriptRunes    = 30_000
	eventsGiven        = 200
)

type agentOutputInput struct {
	Agent  lifecycle.SessionID `json:"agent_id"`
	Wait   int64               `json:"wait_ms"`
	Since  lifecycle.Seq       `json:"since"`
	Detail string              `json:"detail"`
}

// transcriptLine is a message of a subagent's transcript, for its parent.
type transcriptLine struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// AgentOutput reads a subagent: its result once it has ended, what it does
// before. entries reads its transcript.
func AgentOutput(entries Entries) agent.Tool {
	in := newInput[agentOutputInput]("agent_output", `{"type": "object", "additionalProperties": false, "required": ["agent_id"], "properties": {
		"agent_id": {"type": "string", "minLength": 1},
		"wait_ms": {"type": "integer", "minimum": 0, "maximum": 60000, "description": "wait at most this long for its end; 0, the default: do not wait"},
		"since": {"type": "integer", "minimum": 0, "description": "record number: only events after it"},
		"detail": {"type": "string", "enum": ["result", "events", "transcript"], "description": "result is the default"}}}`)
	return agent.Tool{
		Spec:     in.spec(),
		ReadOnly: true,
		Label:    labelOf("agent_id"),
		Run: in.run(func(ctx context.Context, call agent.Invocation, args agentOutputInput) (agent.Result, error) {
			return readAgent(ctx, call.Scope, args, entries)
		}),
	}
}

func readAgent(ctx context.Context, scope *lifecycle.Scope, in agentOutputInput, entries Entries) (agent.Result, error) {
	run, err := agentOf(scope, in.Agent)
	if err != nil {
		return agent.Result{}, err
	}
	if run, err = await(ctx, scope, run, in.Wait); err != nil {
		return agent.Result{}, err
	}
	r := report(scope, run)
	if in.Detail == "transcript" {
		if r.Messages, err = transcriptTail(ctx, entries, in.Agent); err != nil {
			return agent.Result{}, err
		}
	}
	if in.Detail == "events" || in.Since > 0 {
		if r.Events, err = scope.Records(ctx, in.Agent, in.Since, eventsGiven); err != nil {
			return agent.Result{}, err
		}
		r.Last = in.Since // where to go on
		if len(r.Events) > 0 {
			r.Last = r.Events[len(r.Events)-1].Seq
		}
	}
	return told(r, run, lifecycle.ByAgentOutput), nil
}

// await waits so many milliseconds for the end of a run that has not ended.
func await(ctx context.Context, scope *lifecycle.Scope, run lifecycle.Run, ms int64) (lifecycle.Run, error) {
	wait := min(time.Duration(max(ms, 0))*time.Millisecond, maxWait)
	if wait == 0 || run.State.Terminal() {
		return run, nil
	}
	return scope.Await(ctx, run.ID, wait)
}

// transcriptTail is the end of a transcript, within the design's bounds.
func transcriptTail(ctx context.Context, entries Entries, session lifecycle.SessionID) ([]transcriptLine, error) {
	stored, err := entries(ctx, session)
	if err != nil {
		return nil, err
	}
	messages, err := agent.Transcript(stored)
	if err != nil {
		return nil, err
	}
	var lines []transcriptLine
	left := transcriptRunes
	for i := len(messages) - 1; i >= 0 && len(lines) < transcriptMessages && left > 0; i-- {
		line := transcriptLine{Role: string(messages[i].Role), Text: plainMessage(messages[i])}
		whole := line.Text
		if tail := words.Last(whole, left); tail != whole {
			line.Text = "… " + tail
		}
		left -= utf8.RuneCountInString(whole)
		lines = append([]transcriptLine{line}, lines...)
	}
	return lines, nil
}

// plainMessage is a message in words: its text, its calls, its results.
func plainMessage(m agent.Message) string {
	text := m.Text()
	for _, part := range m.Parts {
		switch {
		case part.Call != nil:
			text += fmt.Sprintf("\n[calls %s %s]", part.Call.Name, part.Call.Input)
		case part.Result != nil:
			text += fmt.Sprintf("\n[%s gave] %s", part.Result.Name, part.Result.Text)
		}
	}
	return text
}
