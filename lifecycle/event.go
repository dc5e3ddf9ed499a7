package lifecycle

import (
	"encoding/json"
	"time"
)

// Event is what a record says happened to a run. The set is closed: codec.go names each,
// Run.Apply says what each means, and the linter checks that every switch has all of them.
//
//sumtype:decl
type Event interface{ event() }

// Trigger says what made a run begin.
type Trigger string

// The triggers of a run.
const (
	TriggerUser         Trigger = "user"         // a person wrote
	TriggerAgent        Trigger = "agent"        // the parent's model called agent
	TriggerMessage      Trigger = "message"      // agent_send, or a message left over by the run before
	TriggerNotification Trigger = "notification" // an idle parent was woken
	TriggerContinue     Trigger = "continue"     // a person continued a run that was interrupted, or failed with its server
	TriggerCompact      Trigger = "compact"      // a person asked for a summary of the conversation: the run does nothing else
)

// Isolation says where a run's work is done.
type Isolation string

// The isolations of a run.
const (
	IsolationNone     Isolation = "none"
	IsolationWorktree Isolation = "worktree"
	IsolationProcess  Isolation = "process"
	IsolationRemote   Isolation = "remote" // on another machine, in a checkout of its own
)

// Spec is what a run is started with. Root, Parent and Call place it; the rest
// is what the worker needs.
type Spec struct {
	Kind        Kind      `json:"kind,omitempty"`
	Root        SessionID `json:"root"`
	Parent      SessionID `json:"parent,omitempty"`
	ParentRun   RunID     `json:"parent_run,omitempty"`
	Call        CallID    `json:"call,omitempty"`
	Trigger     Trigger   `json:"trigger"`
	Type        string    `json:"type,omitempty"`
	Description string    `json:"description,omitempty"`
	Model       string    `json:"model,omitempty"`
	Effort      string    `json:"effort,omitempty"` // that the model was asked for: low, medium, high or max; empty is its own default
	// Prompt opens the run in the transcript. For TriggerCompact it is the instructions for the
	// summary and stands in no transcript.
	Prompt string `json:"prompt,omitempty"`
	From   string `json:"from,omitempty"` // who wrote the prompt: FromUser, FromAgent
	// Attached lists the files that a person's prompt names; their content is in the transcript.
	Attached []Attachment `json:"attached,omitempty"`
	// Allowed are the rules of what the run may do at most, where a command that a person typed
	// narrows that; nil: it does not. The subagents that the run starts have them too.
	Allowed    []string  `json:"allowed_tools,omitempty"`
	Folder     string    `json:"folder,omitempty"`
	Background bool      `json:"background,omitempty"`
	Isolation  Isolation `json:"isolation,omitempty"`
	// Labels are what a worker for a run of IsolationRemote must have, and Idempotent says that the run
	// may be placed again when its worker is lost: doing it twice does no harm.
	Labels     []string `json:"labels,omitempty"`
	Idempotent bool     `json:"idempotent,omitempty"`
	// Branch is that of the git worktree which Folder is in, of IsolationWorktree and IsolationRemote.
	Branch string `json:"branch,omitempty"`
	// Of a shell: its command line, how long it may run (0 is no limit), and whether it runs in the
	// sandbox for commands that nobody was asked about.
	Command string        `json:"command,omitempty"`
	Limit   time.Duration `json:"limit_ns,omitempty"`
	Closed  bool          `json:"closed,omitempty"`
}

// The life of a run.
type (
	// Spawned creates a run, queued.
	Spawned struct{ Spec }

	// Queued says that no slot was free.
	Queued struct {
		Position int `json:"position"` // 1 for the next in line
	}

	// Started says that the run has its slot and its worker.
	Started struct{}

	// StepStarted opens a model request.
	StepStarted struct {
		Step int `json:"step"` // 1 for the first
	}

	// Waiting says why a run is quiet for a while: a retry, a rate limit, a silent stream.
	// Discarded withdraws the step's partial text, because its request is made again. Why is
	// a whole sentence; if For says how long, it ends with that, after "; asking".
	Waiting struct {
		Why       string        `json:"why"`
		For       time.Duration `json:"for_ns,omitempty"`
		Attempt   int           `json:"attempt,omitempty"`
		Discarded bool          `json:"discarded,omitempty"`
	}

	// Text is a piece of the answer of the open step. The pieces of a step, in order, are its
	// whole text. A piece is what came in a second, or the rest at a step's end.
	Text struct {
		Text string `json:"text"`
	}

	// Thinking is a piece of the model's reasoning, as Text is of its answer.
	Thinking struct {
		Text string `json:"text"`
	}

	// Nudged says that a subagent ended without text and was asked once for it.
	Nudged struct{}

	// Overdue says that a foreground run outlasted foreground_warning, so that its parent no
	// longer waits for it.
	Overdue struct {
		After time.Duration `json:"after_ns"`
	}

	// Detached says that a person sent a foreground run to the background.
	Detached struct{}

	// Compacted says that the transcript up to here was replaced by a summary
	// for the model. The log keeps everything.
	Compacted struct {
		Summary string `json:"summary"`
		Before  int64  `json:"tokens_before"`
		After   int64  `json:"tokens_after"`
	}

	// Warned is a warning about a run. It changes nothing, except that after WarnLeftBehind the
	// run's end owes its parent a notification, after WarnFallback Model works on, and after
	// WarnWorkerLost nobody does until the run is placed again.
	Warned struct {
		Kind    WarningKind `json:"kind"`
		Message string      `json:"message"`
		Model   string      `json:"model,omitempty"` // of WarnFallback
	}

	// StopRequested says that somebody asked for the end. The run goes on until
	// its worker returns.
	StopRequested struct {
		Cause  Cause  `json:"cause"`
		Reason string `json:"reason,omitempty"`
	}

	// Ended is the one terminal event of a run.
	Ended struct {
		State   State    `json:"state"`
		Cause   Cause    `json:"cause,omitempty"`
		Reason  string   `json:"reason,omitempty"`
		Error   *Failure `json:"error,omitempty"`
		Result  string   `json:"result,omitempty"`  // the final text
		Partial string   `json:"partial,omitempty"` // the text so far, if no final one came
		// ExitCode is that of the run's own process, if it had one.
		ExitCode *int `json:"exit_code,omitempty"`
		// Worktree is that of the run, if it had one.
		Worktree *Worktree `json:"worktree,omitempty"`
		// Found says that this was not written when it happened: the process had died, and the
		// next one found the run open.
		Found bool `json:"found,omitempty"`
	}
)

// WarningKind names what a warning is about.
type WarningKind string

// The kinds of warning.
const (
	WarnBudget       WarningKind = "budget"
	WarnWriteOverlap WarningKind = "write_overlap"
	WarnSilence      WarningKind = "silence"
	WarnSlowStop     WarningKind = "slow_stop"   // a stop was not done within 2 s
	WarnLeftBehind   WarningKind = "left_behind" // the call that waited for it came back before its end
	WarnHook         WarningKind = "hook"        // a hook failed, or said something
	WarnStop         WarningKind = "stop_reason" // a model stopped for an unknown reason, and its calls were made
	WarnEffort       WarningKind = "effort"      // a model does not take the effort that was asked for
	WarnSearch       WarningKind = "search"      // a model is not offered searches of the web that a rule allows
	WarnImages       WarningKind = "images"      // a model is not sent images that its server has refused
	WarnFallback     WarningKind = "fallback"    // another model goes on, because a limit of the run's own lasts
	WarnResult       WarningKind = "result"      // what a run changed on another machine did not come home
	WarnWorkerLost   WarningKind = "worker_lost" // its worker is gone, and it is placed again
)

// What a run does with tools.
type (
	// ToolStarted opens a tool call.
	ToolStarted struct {
		Call  CallID          `json:"call"`
		Tool  string          `json:"tool"`
		Label string          `json:"label,omitempty"` // its argument in one line
		Input json.RawMessage `json:"input,omitempty"`
	}

	// ToolEnded closes a tool call. View is what people see of the result, in
	// agent's encoding; lifecycle does not read it.
	ToolEnded struct {
		Call   CallID          `json:"call"`
		Tool   string          `json:"tool"`
		Status ToolStatus      `json:"status"`
		View   json.RawMessage `json:"view,omitempty"`
		// Wrote is the file that the call changed, by its whole path without links.
		Wrote string `json:"wrote,omitempty"`
		// Instructions are those that were read because the call touched a file they are for.
		Instructions []InstructionsRead `json:"instructions,omitempty"`
	}

	// Searched says that the server of the run's model has looked into the web within an answer:
	// that it searched, opened a page, or that the answer cites pages. It cannot be asked about.
	Searched struct {
		Query  string `json:"query,omitempty"`
		Opened string `json:"opened,omitempty"` // the address of a page
		Found  []Page `json:"found,omitempty"`
		Cited  []Page `json:"cited,omitempty"`
		Error  string `json:"error,omitempty"` // why it could not
	}

	// Page is a page of the web.
	Page struct {
		URL   string `json:"url"`
		Title string `json:"title,omitempty"`
	}

	// PermissionAsked puts a question to whoever may answer it.
	PermissionAsked struct{ Question }

	// PermissionGranted answers a question with yes. With a Tool it instead lifts every earlier
	// denial of that tool and subject in its session, and stands on the run that is told to try
	// again.
	PermissionGranted struct {
		Question QuestionID `json:"question,omitempty"`
		Call     CallID     `json:"call,omitempty"`
		By       Decider    `json:"by"`
		Scope    GrantScope `json:"scope,omitempty"` // how far the yes reaches
		Rules    []string   `json:"rules,omitempty"` // that hold from now on, with GrantAlways
		Tool     string     `json:"tool,omitempty"`
		Subject  string     `json:"subject,omitempty"`
	}

	// PermissionDenied answers a question with no, or says that nobody could be asked.
	PermissionDenied struct {
		Question QuestionID `json:"question,omitempty"`
		Call     CallID     `json:"call,omitempty"`
		Tool     string     `json:"tool"`
		Subject  string     `json:"subject,omitempty"`
		By       Decider    `json:"by"`
		Reason   string     `json:"reason,omitempty"`
	}
)

// ToolStatus says how a tool call came out.
type ToolStatus string

// The outcomes of a tool call.
const (
	ToolOK       ToolStatus = "ok"
	ToolError    ToolStatus = "error"
	ToolDenied   ToolStatus = "denied"
	ToolCanceled ToolStatus = "canceled"
)

// Messages on their way into a session, and what became of a run's result.
type (
	// MessageQueued puts a message behind those that wait for the session.
	MessageQueued struct {
		Message
	}

	// MessageEdited replaces the text of one that waits.
	MessageEdited struct {
		Message MessageID `json:"message"`
		Text    string    `json:"text"`
		Reach   []string  `json:"reach,omitempty"` // as of Message
	}

	// MessageMoved moves a waiting message to another place in the queue, from 0.
	MessageMoved struct {
		Message MessageID `json:"message"`
		To      int       `json:"to"`
	}

	// MessageTaken says at which step a message entered the transcript.
	MessageTaken struct {
		Message MessageID `json:"message"`
		Step    int       `json:"step"`
		From    string    `json:"from"`
		Text    string    `json:"text"`
		// Attached is what the text names, as of Spec.
		Attached []Attachment `json:"attached,omitempty"`
	}

	// MessageWithdrawn withdraws a message that the model has not seen. Returned says that nobody
	// asked for that: the run was stopped or died before it took the message in, so its writer
	// gets the text back.
	MessageWithdrawn struct {
		Message  MessageID `json:"message"`
		Returned bool      `json:"returned,omitempty"`
		From     string    `json:"from,omitempty"`
		Text     string    `json:"text,omitempty"`
	}

	// NotificationQueued says that the parent is owed a notification of this run's end. It is
	// written in the same transaction as Ended.
	NotificationQueued struct{}

	// NotificationDelivered is the receipt: in which run of the parent, and at
	// which step, the model was told.
	NotificationDelivered struct {
		InRun RunID `json:"in_run"`
		Step  int   `json:"step"`
	}

	// NotificationWithdrawn says that none is owed any more, because the result was reported
	// otherwise.
	NotificationWithdrawn struct {
		By Consumer `json:"by"`
	}

	// Consumed says that the result stands in the parent's transcript.
	Consumed struct {
		By    Consumer `json:"by"`
		InRun RunID    `json:"in_run,omitempty"`
		Call  CallID   `json:"call,omitempty"`
	}
)

// Consumer names what put a result into the parent's transcript.
type Consumer string

// The ways in which a result reaches its parent.
const (
	ByToolResult   Consumer = "tool_result"
	ByAgentOutput  Consumer = "agent_output"
	ByAgentStop    Consumer = "agent_stop"
	ByShellOutput  Consumer = "shell_output"
	ByShellKill    Consumer = "shell_kill"
	ByNotification Consumer = "notification"
	// ByRunEnd withdraws the notifications that a subagent is owed of its shells when its run
	// ends: they end with it, and nobody is left to notify. It consumes nothing.
	ByRunEnd Consumer = "run_end"
)

func (Spawned) event()               {}
func (Queued) event()                {}
func (Started) event()               {}
func (StepStarted) event()           {}
func (Waiting) event()               {}
func (Text) event()                  {}
func (Thinking) event()              {}
func (ToolStarted) event()           {}
func (ToolEnded) event()             {}
func (Searched) event()              {}
func (PermissionAsked) event()       {}
func (PermissionGranted) event()     {}
func (PermissionDenied) event()      {}
func (MessageQueued) event()         {}
func (MessageEdited) event()         {}
func (MessageMoved) event()          {}
func (MessageTaken) event()          {}
func (MessageWithdrawn) event()      {}
func (Warned) event()                {}
func (Nudged) event()                {}
func (Overdue) event()               {}
func (Detached) event()              {}
func (Compacted) event()             {}
func (UsageReported) event()         {}
func (StopRequested) event()         {}
func (Ended) event()                 {}
func (NotificationQueued) event()    {}
func (NotificationDelivered) event() {}
func (NotificationWithdrawn) event() {}
func (Consumed) event()              {}
