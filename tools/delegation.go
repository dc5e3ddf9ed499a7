package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// reply is the result of every tool of delegation: one JSON object. What does
// not apply is left out. Next says in words what the state means and what can be
// done; it is never empty.
type reply struct {
	Agent    lifecycle.SessionID `json:"agent_id"`
	Run      lifecycle.RunID     `json:"run_id"`
	Status   lifecycle.State     `json:"status"`
	Position int                 `json:"position,omitempty"`
	Cause    lifecycle.Cause     `json:"cause,omitempty"`
	Error    *lifecycle.Failure  `json:"error,omitempty"`
	Warning  string              `json:"warning,omitempty"`
	Activity string              `json:"activity,omitempty"`
	Output   string              `json:"output,omitempty"`
	ExitCode *int                `json:"exit_code,omitempty"` // of its own process
	Worktree *lifecycle.Worktree `json:"worktree,omitempty"`
	Partial  bool                `json:"output_is_partial,omitempty"`
	Denied   []denial            `json:"denied,omitempty"`
	Usage    *lifecycle.Usage    `json:"usage,omitempty"`
	Events   []lifecycle.Record  `json:"events,omitempty"`
	Last     lifecycle.Seq       `json:"last_record,omitempty"`
	Messages []transcriptLine    `json:"transcript,omitempty"`
	Message  string              `json:"message"`
}

// denial is what was not allowed and was not granted since, as far as a model can use it.
type denial struct {
	Tool    string            `json:"tool"`
	Subject string            `json:"subject,omitempty"`
	By      lifecycle.Decider `json:"by"`
	Reason  string            `json:"reason,omitempty"`
	Times   int               `json:"times"`
}

func deniedIn(run lifecycle.Run) []denial {
	var denied []denial
	for _, r := range lifecycle.Refusals(run) {
		denied = append(denied, denial{Tool: r.Tool, Subject: r.Subject, By: r.By, Reason: r.Reason, Times: r.Times})
	}
	return denied
}

func report(scope *lifecycle.Scope, run lifecycle.Run) reply {
	r := reply{Agent: run.Session, Run: run.ID, Status: run.State, Denied: deniedIn(run)}
	account := agent.ReportOf(run)
	r.Message = account.Summary() + " " + account.Advice()
	if !run.State.Terminal() {
		r.Position, r.Activity = scope.Position(run.ID), scope.Activity(run)
		return r
	}
	r.Cause, r.Error, r.Usage, r.ExitCode, r.Worktree = run.Cause, run.Error, &run.Usage, run.ExitCode, run.Worktree
	r.Output, r.Partial = run.Output(), run.Result == "" && run.Partial != ""
	if r.Output == "" {
		r.Output = "(there was no text)"
	}
	return r
}

// told gives a reply to the model, and its run to the screen. An ended run is told
// by it.
func told(reply any, run lifecycle.Run, by lifecycle.Consumer) agent.Result {
	out := agent.Result{Text: marshal(reply), View: agent.RunView{Session: run.Session, Run: run.ID}}
	if run.State.Terminal() {
		out.Consumes = []lifecycle.Told{{Run: run.ID, By: by}}
	}
	return out
}

func marshal(v any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // for a model, not for a browser
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprintf(`{"message":%q}`, "the result could not be encoded: "+err.Error())
	}
	return strings.TrimSpace(b.String())
}

// lostCall words the result of an agent call that a dead process left: the run
// it started says what became of it.
func lostCall(call agent.Invocation) agent.Result {
	if run, ok := startedBy(call); ok {
		return told(report(call.Scope, run), run, lifecycle.ByToolResult)
	}
	return agent.ErrorResult("This call was cut off when Pawl's process ended, before it started a subagent. Nothing is running.")
}

func startedBy(call agent.Invocation) (lifecycle.Run, bool) {
	for _, run := range slices.Backward(call.Scope.Runs()) { // some servers use an id again
		if run.Call == call.Call {
			return run, true
		}
	}
	return lifecycle.Run{}, false
}

// Entries reads the transcript of a session.
type Entries func(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error)
