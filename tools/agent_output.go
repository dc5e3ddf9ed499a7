package tools

import (
	"context"
	"fmt"
	"slices"
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
	Since  *lifecycle.Seq      `json:"since"`
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
		messages, err := transcriptTail(ctx, entries, in.Agent)
		if err != nil {
			return agent.Result{}, err
		}
		slices.Reverse(messages) // the oldest are left out
		r.Messages = fitting(r, messages)
		slices.Reverse(r.Messages)
	}
	if in.Detail == "events" || in.Since != nil {
		since := lifecycle.Seq(0)
		if in.Since != nil {
			since = *in.Since
		}
		events, err := scope.Records(ctx, in.Agent, since, eventsGiven)
		if err != nil {
			return agent.Result{}, err
		}
		r.Events, r.Last = fitting(r, events), since // where to go on
		if n := len(r.Events); n > 0 {
			r.Last = r.Events[n-1].Seq
		}
		if len(r.Events) < len(events) || len(events) == eventsGiven {
			r.Message += fmt.Sprintf(" There may be more events: go on with since %d.", r.Last)
		}
	}
	return told(r, run, lifecycle.ByAgentOutput), nil
}

// fitting are the first of some items, at least one, for which a reply has room within resultText: what
// is over would be cut out of its middle.
func fitting[T any](r reply, items []T) []T {
	left := max(resultText-utf8.RuneCountInString(marshal(r)), resultText/2) - 100 // the fields' names, and a line
	for i, item := range items {
		if left -= utf8.RuneCountInString(marshal(item)) + 1; left < 0 && i > 0 {
			return items[:i]
		}
	}
	return items
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
