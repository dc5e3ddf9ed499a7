package lifecycle

import (
	"encoding/json"
	"time"
)

// Record is one immutable, numbered event. A root session and all its subagents
// share one log and one numbering, so Seq alone orders them; Time is for people.
type Record struct {
	Seq     Seq
	Time    time.Time
	Root    SessionID
	Session SessionID
	Run     RunID
	// Request is that of the run's process on another machine which this was recorded for, counted
	// from its placement on; 0: none. It is never served twice: see Port.At.
	Request int64
	Event   Event
}

// Progress is what changes too fast to be recorded: the whole text of the open step so far,
// and what the run does now. A newer one replaces it; none is stored.
type Progress struct {
	Session  SessionID `json:"session"`
	Run      RunID     `json:"run"`
	Step     int       `json:"step"`
	Text     string    `json:"text,omitempty"`
	Thinking string    `json:"thinking,omitempty"`
	Activity string    `json:"activity,omitempty"`
	// OutputTokens is an estimate for the open step, in tokens; the true count
	// comes with the step's usage event.
	OutputTokens int64 `json:"output_tokens,omitempty"`
	// Summarizing is since when the model writes a summary of the conversation, of which
	// OutputTokens are there; how long it will be is not known. Zero: it writes none.
	Summarizing time.Time `json:"summarizing,omitzero"`
	// At is when it was reported; Port.Report sets it.
	At time.Time `json:"at,omitzero"`
}

// Updates is what a watcher gets each time it wakes.
type Updates struct {
	Records  []Record   // in order, none missing, none twice
	Progress []Progress // the newest only, at most one a run
	// Fault says, in one line, why the log cannot be written now, so that later changes are not
	// saved; empty if it can be written.
	Fault string
	// Waking says that more will follow without a command: an idle parent is about to be woken
	// for ends that a person has caused, or these are not the newest records.
	Waking bool
	// AllStopped says that everything was stopped and that the user has not written to the parent since:
	// until then it is not woken.
	AllStopped bool
	// Unsaved are runs whose end could not be recorded, as they ended. The next
	// start will find them interrupted.
	Unsaved []Run
	// More holds a value when records have come behind these; nil: nobody says so. Who holds back what
	// brings only progress, so that fewer frames are drawn, need not hold those back too.
	More <-chan struct{} `json:"-"`
}

// EntryKind says who wrote a transcript entry.
type EntryKind string

// The kinds of transcript entry.
const (
	EntryUser         EntryKind = "user"         // a person, a parent, or Pawl's own nudge
	EntryAssistant    EntryKind = "assistant"    // the model
	EntryToolResult   EntryKind = "tool_result"  // a tool
	EntryNotification EntryKind = "notification" // the supervisor: a subagent ended
	EntrySummary      EntryKind = "summary"      // compaction: replaces all before it
	EntryRewind       EntryKind = "rewind"       // a person took the conversation back: see Rewind
)

// Entry is one piece of a session's transcript, as the model is shown it. It is written in the
// same transaction as the records that it belongs to. Body is opaque here, except in entries
// that lifecycle writes: a Said for EntryUser, a Notice for EntryNotification, a Rewind for
// EntryRewind.
type Entry struct {
	Session SessionID       `json:"session"`
	Run     RunID           `json:"run"`
	Kind    EntryKind       `json:"kind"`
	Call    CallID          `json:"call,omitempty"`   // of a tool result: the call it answers, at most once
	Source  RunID           `json:"source,omitempty"` // of a notification: the run that ended, at most once
	Body    json.RawMessage `json:"body"`
}

// Said is the body of a user entry.
type Said struct {
	From    string    `json:"from"` // user, agent or pawl
	Message MessageID `json:"message,omitempty"`
	Text    string    `json:"text"`
	// Attached is what the text of a person names, as it was then.
	Attached []Enclosure `json:"attached,omitempty"`
}
