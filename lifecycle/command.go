package lifecycle

import "slices"

// Command is what a front end asks of the supervisor. The commands for a parent and a subagent
// are the same; only the session differs. The set is closed and every command is plain data,
// so that a front end can be another process.
//
//sumtype:decl
type Command interface{ command() }

// The commands.
type (
	// Send gives a session a message. An idle session starts a run with it, an ended subagent
	// in the background; a busy one takes it in at its next step.
	Send struct {
		Session SessionID `json:"session"`
		Text    string    `json:"text"`
		Reach   []string  `json:"reach,omitempty"` // as of Message
	}

	// RunShell runs a command line of the user's own in the folder of a session, at once, whether
	// that works or not. It is refused while another one of that session runs. Its output goes into
	// the transcript when it has ended, and wakes nobody.
	RunShell struct {
		Session SessionID `json:"session"`
		Command string    `json:"command"`
	}

	// EditMessage replaces the text of a message that waits.
	EditMessage struct {
		Session SessionID `json:"session"`
		Message MessageID `json:"message"`
		Text    string    `json:"text"`
		Reach   []string  `json:"reach,omitempty"` // as of Message
	}

	// MoveMessage moves a waiting message to another place, from 0.
	MoveMessage struct {
		Session SessionID `json:"session"`
		Message MessageID `json:"message"`
		To      int       `json:"to"`
	}

	// WithdrawMessage takes a message back before the model saw it.
	WithdrawMessage struct {
		Session SessionID `json:"session"`
		Message MessageID `json:"message"`
	}

	// Stop ends the latest run of a session and, for a parent, the foreground subagents that
	// it waits for. On an ended run it changes nothing and reports its state.
	Stop struct {
		Session SessionID `json:"session"`
		Cause   Cause     `json:"cause"`
		Reason  string    `json:"reason,omitempty"`
	}

	// StopForeground ends the foreground subagents that a parent waits for, and
	// lets the parent go on.
	StopForeground struct {
		Session SessionID `json:"session"` // the parent
		Cause   Cause     `json:"cause"`
	}

	// StopAll ends every run of a root session, its own too.
	StopAll struct {
		Root  SessionID `json:"root"`
		Cause Cause     `json:"cause"`
	}

	// Detach sends one foreground subagent to the background.
	Detach struct {
		Session SessionID `json:"session"`
	}

	// DetachForeground sends all that a parent waits for to the background.
	DetachForeground struct {
		Session SessionID `json:"session"` // the parent
	}

	// Resolve answers a question.
	Resolve struct {
		Question QuestionID `json:"question"`
		Answer   Answer     `json:"answer"`
	}

	// Grant allows what was denied to a session in any of its runs, as long as this process
	// has it open, and tells it to try again: a running session at its next step, an ended one
	// in a new run. It does not lift what a rule or a hook denied, and the rules and the mode
	// of that time may still deny it.
	Grant struct {
		Session SessionID `json:"session"`
		Deeds   []Deed    `json:"deeds,omitempty"` // none: all that a person may allow
		// Always keeps the rules that were proposed for these deeds as the user's own.
		Always bool `json:"always,omitempty"`
	}

	// Leave says that the person who wrote to a subagent no longer looks at it. Later questions
	// of the run that the message started are answered as for any background run; an open
	// question stays open.
	Leave struct {
		Session SessionID `json:"session"`
	}

	// Continue continues a session from its transcript, if its last run is Resumable.
	Continue struct {
		Session SessionID `json:"session"`
	}

	// Compact replaces the conversation of a root session by a summary, for its model: at once
	// if it is idle, else after its run and before waiting messages. A stop cancels it. It does
	// not count as a message of the user, so pending notifications stay held back. It is refused
	// for a subagent.
	Compact struct {
		Session      SessionID `json:"session"`
		Instructions string    `json:"instructions,omitempty"` // for the summary
	}
)

func (Send) command()             {}
func (RunShell) command()         {}
func (EditMessage) command()      {}
func (MoveMessage) command()      {}
func (WithdrawMessage) command()  {}
func (Stop) command()             {}
func (StopForeground) command()   {}
func (StopAll) command()          {}
func (Detach) command()           {}
func (DetachForeground) command() {}
func (Resolve) command()          {}
func (Grant) command()            {}
func (Leave) command()            {}
func (Continue) command()         {}
func (Compact) command()          {}

// Reply is what a command did.
type Reply struct {
	Runs    []Run     `json:"runs,omitempty"`    // the runs it reached, as they stand now
	Message MessageID `json:"message,omitempty"` // of a Send that has to wait
	Later   bool      `json:"later,omitempty"`   // a Compact waits for the run under way
	Granted []Deed    `json:"granted,omitempty"` // by a Grant
	Refused string    `json:"refused,omitempty"` // why a DetachForeground left some where they were
}

// Snapshot is the state of a root session: what a front end needs before it watches from Seq on.
type Snapshot struct {
	Root  SessionID           `json:"root"`
	Seq   Seq                 `json:"seq"`
	Runs  []Run               `json:"runs"` // in the order in which they were spawned
	Inbox map[SessionID]Inbox `json:"inbox,omitempty"`
	// Reopened says that the session came from the store and the user has not written since:
	// pending notifications go with the next message.
	Reopened bool `json:"reopened,omitempty"`
	// Waking and AllStopped are as in Updates.
	Waking     bool `json:"waking,omitempty"`
	AllStopped bool `json:"all_stopped,omitempty"`
	// Woken is how often the root has woken itself since its user wrote. Spoken are those of the unsettled
	// runs that the root's model has written to, and was promised a notification.
	Woken  int     `json:"woken,omitempty"`
	Spoken []RunID `json:"spoken,omitempty"`
}

// Latest is the newest run of a session.
func (s Snapshot) Latest(session SessionID) (Run, bool) {
	for _, run := range slices.Backward(s.Runs) {
		if run.Session == session {
			return run, true
		}
	}
	return Run{}, false
}
