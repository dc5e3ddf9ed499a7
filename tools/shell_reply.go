package tools

import (
	"cmp"
	"encoding/json"
	"time"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// shellReply is the result of the tools of background shells: one JSON object, as
// that of the tools of delegation is.
type shellReply struct {
	Shell    lifecycle.SessionID `json:"shell_id"`
	Status   lifecycle.State     `json:"status"`
	ExitCode *int                `json:"exit_code,omitempty"`
	Cause    lifecycle.Cause     `json:"cause,omitempty"`
	Error    *lifecycle.Failure  `json:"error,omitempty"`
	Elapsed  int64               `json:"elapsed_ms,omitempty"`
	Output   string              `json:"output,omitempty"`
	Message  string              `json:"message"`
}

// launched is the reply about a shell without its output.
func launched(run lifecycle.Run) shellReply {
	account := agent.ReportOf(run)
	return shellReply{
		Shell: run.Session, Status: run.State, ExitCode: run.ExitCode, Cause: run.Cause, Error: run.Error,
		Message: account.Summary() + " " + account.Advice(),
	}
}

// reply is the reply about a shell with what it wrote since the last look or, where
// that is no longer kept, the end that its run keeps.
func (s *Shells) reply(run lifecycle.Run) shellReply {
	r := launched(run)
	r.Elapsed = run.Elapsed(time.Now()).Milliseconds()
	r.Output = cmp.Or(s.news(run.Session), run.Result, "(what it wrote was lost with Pawl's process)")
	return r
}

// withOutput is home's result about a shell that works in this process, with what it wrote since the
// last look. Of any other, and with no Shells, it is home's alone.
func (s *Shells) withOutput(result agent.Result) agent.Result {
	var r shellReply
	if s == nil || result.IsError || json.Unmarshal([]byte(result.Text), &r) != nil || r.Shell == "" {
		return result
	}
	switch news := s.news(r.Shell); {
	case news != "":
		r.Output = news
	case r.Status.Terminal():
		return result // home has its end
	default:
		r.Output = lifecycle.NoOutput // it has not begun here
	}
	result.Text = marshal(r)
	return result
}

func startShell(call agent.Invocation, in shellInput) agent.Result {
	if call.Scope == nil {
		return agent.ErrorResult("Not run: nothing here can keep a command in the background. Run it without run_in_background, within its time limit.")
	}
	run, err := call.Scope.StartShell(lifecycle.Spec{
		Call: call.Call, Command: in.Command, Description: words.CutLine(cmp.Or(in.Description, in.Command), 80), Limit: in.limit(), Closed: call.Closed,
	})
	if err != nil {
		return agent.ErrorResult("Not run: " + err.Error())
	}
	r := launched(run)
	if !call.Scope.Outlasts() {
		r.Message += " It is stopped when your work here ends: if you need its result, wait for it with shell_output and wait_ms before you finish."
	}
	return unread(r, run)
}

// unread is the result of a call that gives none of a shell's output: an end is still to be told.
func unread(r shellReply, run lifecycle.Run) agent.Result {
	result := told(r, run, lifecycle.ByToolResult)
	result.Consumes = nil
	return result
}

// lostShell words the result of a shell call that a dead process left.
func lostShell(call agent.Invocation) agent.Result {
	if call.Scope != nil {
		if run, ok := startedBy(call); ok {
			return unread(launched(run), run)
		}
	}
	return agent.ErrorResult("This call was cut off when the process that made it ended. Nobody knows whether it took effect: check before you repeat it.")
}

// shellOf finds a shell of the calling session, and refuses what is none.
func shellOf(scope *lifecycle.Scope, id lifecycle.SessionID) (lifecycle.Run, error) {
	run, err := latestOf(scope, id)
	switch {
	case err != nil:
		err = faultf("There is no background shell %s of yours; shell with run_in_background gave the shell_id of each.", id)
	case !run.Shell():
		err = faultf("%s is a subagent, not a shell: use agent_output, agent_send or agent_stop; shell_kill takes the task_id of a task.", id)
	}
	return run, err
}

// agentOf finds a subagent of the calling session, and refuses what is none.
func agentOf(scope *lifecycle.Scope, id lifecycle.SessionID) (lifecycle.Run, error) {
	run, err := latestOf(scope, id)
	switch {
	case err != nil:
		err = faultf("%v. agent_list names them.", err)
	case run.Shell():
		err = faultf("%s is a background shell, not a subagent: read it with shell_output, end it with shell_kill. It takes no messages.", id)
	}
	return run, err
}

func latestOf(scope *lifecycle.Scope, id lifecycle.SessionID) (lifecycle.Run, error) {
	if scope == nil {
		return lifecycle.Run{}, lifecycle.ErrUnknown
	}
	return scope.Latest(id)
}
