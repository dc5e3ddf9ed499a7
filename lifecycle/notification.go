package lifecycle

import (
	"cmp"
	"slices"
	"time"
)

// Notice is what a parent's model is told when a run of its own has ended: the
// body of a notification entry. Only the supervisor writes one, so nobody can
// type it; agent words it for the model.
type Notice struct {
	Kind        Kind          `json:"kind,omitempty"`
	Agent       SessionID     `json:"agent_id"` // of a shell: its shell_id
	Run         RunID         `json:"run_id"`
	Call        CallID        `json:"call"`
	Description string        `json:"description"`
	State       State         `json:"status"`
	Cause       Cause         `json:"cause,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Error       *Failure      `json:"error,omitempty"`
	Command     string        `json:"command,omitempty"`   // of a shell
	ExitCode    *int          `json:"exit_code,omitempty"` // of the run's own process
	Worktree    *Worktree     `json:"worktree,omitempty"`
	Remaining   int           `json:"remaining"` // subagents and shells of the same parent that have not ended
	Result      string        `json:"result"`    // the final text, or what there was of it
	Partial     bool          `json:"partial"`   // Result is not final
	Last        string        `json:"last_tool,omitempty"`
	Denials     []Denial      `json:"denials,omitempty"` // of that run
	Usage       Usage         `json:"usage"`
	Elapsed     time.Duration `json:"elapsed_ns"`
}

// notice words what is owed about an ended run.
func notice(r Run, remaining int) Notice {
	return Notice{
		Kind: r.Kind, Command: r.Command, ExitCode: r.ExitCode, Worktree: r.Worktree,
		Agent: r.Session, Run: r.ID, Call: r.Call, Description: r.Description,
		State: r.State, Cause: r.Cause, Reason: r.Reason, Error: r.Error,
		Remaining: remaining, Result: r.Output(), Partial: r.Result == "",
		Last: r.LastTool, Denials: r.Denials, Usage: r.Usage, Elapsed: r.Elapsed(r.EndedAt),
	}
}

// entry is the notice as it stands in the parent's transcript.
func (n Notice) entry(parent SessionID, in RunID) Entry {
	return Entry{Session: parent, Run: in, Kind: EntryNotification, Source: n.Run, Body: mustJSON(n)}
}

// sortByEnd orders runs with a pending notification as they ended: by the number
// of that record, which no clock can put back.
func sortByEnd(runs []Run) {
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Compare(a.Seq, b.Seq) })
}
