package tools

import (
	"context"
	_ "embed"
	"fmt"
	"time"
	"unicode/utf8"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

//go:embed agent_output.md
var agentOutputText string

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
		Spec:     agent.ToolSpec{Name: "agent_output", Description: agentOutputText, Schema: in.text},
		ReadOnly: true,
		Label:    labelOf("agent_id"),
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return readAgent(ctx, call.Scope, args, entries)
		},
	}
}

func readAgent(ctx context.Context, scope *lifecycle.Scope, in agentOutputInput, entries Entries) agent.Result {
	run, fault := agentOf(scope, in.Agent)
	if fault != nil {
		return *fault
	}
	var err error
	if wait := min(time.Duration(max(in.Wait, 0))*time.Millisecond, maxWait); wait > 0 && !run.State.Terminal() {
		if run, err = scope.Await(ctx, run.ID, wait); err != nil {
			return agent.ErrorResult(err.Error())
		}
	}
	r := report(scope, run)
	if in.Detail == "transcript" {
		if r.Messages, err = transcriptTail(ctx, entries, in.Agent); err != nil {
			return agent.ErrorResult(err.Error())
		}
	}
	if in.Detail == "events" || in.Since > 0 {
		return withEvents(ctx, scope, in, r, run)
	}
	return r.result(run, lifecycle.ByAgentOutput)
}

// withEvents adds the events of the subagent after since, and where to go on.
func withEvents(ctx context.Context, scope *lifecycle.Scope, in agentOutputInput, r reply, run lifecycle.Run) agent.Result {
	records, err := scope.Records(ctx, in.Agent, in.Since, eventsGiven)
	if err != nil {
		return agent.ErrorResult(err.Error())
	}
	r.Events, r.Last = records, in.Since
	if len(records) > 0 {
		r.Last = records[len(records)-1].Seq
	}
	return r.result(run, lifecycle.ByAgentOutput)
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
