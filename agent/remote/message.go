package remote

import (
	"encoding/json"
	"time"

	"pawl/lifecycle"
)

// Protocol is the version of the messages. It changes whenever another version of Pawl
// would misread them: the program's file may be replaced while Pawl is running, and that of
// another machine is its own, so a worker may be another version.
const Protocol = 6

// hello is the first message in each direction; to the worker it contains everything that
// it is told. Config is Host.Config.
type hello struct {
	Protocol int `json:"protocol"`

	Run     lifecycle.Run     `json:"run"`
	Spent   lifecycle.Usage   `json:"spent"`   // of the whole session
	Entries []lifecycle.Entry `json:"entries"` // the transcript so far
	Config  json.RawMessage   `json:"charge"`
}

// toWorker is a message to the worker; exactly one field is set.
type toWorker struct {
	Hello    *hello          `json:"hello,omitempty"`
	Resume   bool            `json:"resume,omitempty"` // another host goes on: see doc.go
	Stop     string          `json:"stop,omitempty"`   // why
	Reply    *reply          `json:"reply,omitempty"`
	Activity *activity       `json:"activity,omitempty"`
	Command  *lifecycle.Run  `json:"command,omitempty"`   // a shell to run
	EndShell lifecycle.RunID `json:"end_shell,omitempty"` // a shell to end
}

// activity says what the request with this id is doing, for the card.
type activity struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// reply answers the request with the same id.
type reply struct {
	ID      int64             `json:"id"`
	Run     lifecycle.Run     `json:"run"`   // as it is after the request
	Spent   lifecycle.Usage   `json:"spent"` // of the whole session, at that time
	Entries []lifecycle.Entry `json:"entries,omitempty"`
	Answer  lifecycle.Answer  `json:"answer,omitzero"`
	Pause   time.Duration     `json:"pause_ns,omitempty"`
	Mode    string            `json:"mode,omitempty"`
	Key     string            `json:"key,omitempty"`
	Result  *toolResult       `json:"result,omitempty"`
	Effect  *toolEffect       `json:"effect,omitempty"`
	Hook    *hookResult       `json:"hook,omitempty"`
	Roster  string            `json:"roster,omitempty"`
	Today   lifecycle.DayCost `json:"today,omitzero"`
	Error   *wireError        `json:"error,omitempty"`
}

// act is what a worker asks for.
type act string

const (
	actHello     act = "hello" // the first message; gets no reply
	actStep      act = "step"
	actRecord    act = "record"
	actAnswered  act = "answered"
	actAsk       act = "ask"
	actHold      act = "hold"       // a gate's pause; see agent.Gate
	actMode      act = "mode"       // the current permission mode
	actToday     act = "today"      // what the day has cost; see agent.Kit.Today
	actTool      act = "tool"       // a call of one of the session's tools
	actEffect    act = "effect"     // what such a call would do
	actHook      act = "hook"       // the user's hooks; see Host.Hooks
	actKey       act = "key"        // a provider's key; see Host.Key
	actRoster    act = "roster"     // the open runs; see agent.OpenRuns
	actReport    act = "report"     // gets no reply
	actShellNews act = "shell_news" // of a background command; gets no reply
	actShellEnd  act = "shell_end"  // of a background command; gets no reply
	actEnd       act = "end"        // the last message; gets no reply
)

// fromWorker is a message from the worker, with the fields of its act.
type fromWorker struct {
	// ID numbers the requests, in the order in which they were first written, from 1.
	ID  int64 `json:"id,omitempty"`
	Act act   `json:"act"`
	// Again says that an earlier host may have had the request.
	Again    bool                `json:"again,omitempty"`
	Protocol int                 `json:"protocol,omitempty"` // for hello and end
	New      bool                `json:"new,omitempty"`      // for hello: there was none from a host yet
	Have     int                 `json:"have,omitempty"`     // for step: the entries of the transcript that it has
	Entries  []lifecycle.Entry   `json:"entries,omitempty"`
	Events   []event             `json:"events,omitempty"`
	Told     []lifecycle.Told    `json:"told,omitempty"`
	Question *lifecycle.Question `json:"question,omitempty"`
	Input    json.RawMessage     `json:"input,omitempty"` // of the question
	Progress *lifecycle.Progress `json:"progress,omitempty"`
	Provider string              `json:"provider,omitempty"`
	Pause    time.Duration       `json:"pause_ns,omitempty"`
	Refused  string              `json:"refused,omitempty"` // the key that was
	Tool     *toolCall           `json:"tool,omitempty"`
	Hook     *hookInput          `json:"hook,omitempty"`
	Shell    lifecycle.RunID     `json:"shell,omitempty"`
	ExitCode *int                `json:"exit_code,omitempty"` // of a command
	Cut      bool                `json:"cut,omitempty"`       // the command was ended because its run has
	Text     string              `json:"text,omitempty"`
	Error    *wireError          `json:"error,omitempty"`
}
