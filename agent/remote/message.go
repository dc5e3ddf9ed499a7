package remote

import (
	"encoding/json"
	"errors"
	"time"

	"pawl/lifecycle"
)

// protocol is the version of the messages. It changes whenever another version of Pawl
// would misread them: the program's file may be replaced while Pawl is running, so its
// worker may be another version.
const protocol = 3

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
	Hello *hello `json:"hello,omitempty"`
	Stop  string `json:"stop,omitempty"` // why
	Reply *reply `json:"reply,omitempty"`
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
	Result  *toolResult       `json:"result,omitempty"`
	Roster  string            `json:"roster,omitempty"`
	Today   lifecycle.DayCost `json:"today,omitzero"`
	Error   *wireError        `json:"error,omitempty"`
}

// act is what a worker asks for.
type act string

const (
	actHello    act = "hello" // the first message; gets no reply
	actStep     act = "step"
	actRecord   act = "record"
	actAnswered act = "answered"
	actAsk      act = "ask"
	actHold     act = "hold"   // a gate's pause; see agent.Gate
	actMode     act = "mode"   // the current permission mode
	actToday    act = "today"  // what the day has cost; see agent.Kit.Today
	actTool     act = "tool"   // a call of one of the session's tools
	actRoster   act = "roster" // the open runs; see agent.OpenRuns
	actReport   act = "report" // gets no reply
	actEnd      act = "end"    // the last message; gets no reply
)

// fromWorker is a message from the worker, with the fields of its act.
type fromWorker struct {
	ID       int64               `json:"id,omitempty"`
	Act      act                 `json:"act"`
	Protocol int                 `json:"protocol,omitempty"` // for hello
	Entries  []lifecycle.Entry   `json:"entries,omitempty"`
	Events   []event             `json:"events,omitempty"`
	Told     []lifecycle.Told    `json:"told,omitempty"`
	Question *lifecycle.Question `json:"question,omitempty"`
	Input    json.RawMessage     `json:"input,omitempty"` // of the question
	Progress *lifecycle.Progress `json:"progress,omitempty"`
	Provider string              `json:"provider,omitempty"`
	Pause    time.Duration       `json:"pause_ns,omitempty"`
	Tool     *toolCall           `json:"tool,omitempty"`
	Text     string              `json:"text,omitempty"`
	Error    *wireError          `json:"error,omitempty"`
}

// event is a lifecycle event, encoded with its name.
type event struct{ is lifecycle.Event }

type namedEvent struct {
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// MarshalJSON writes {event, data}, as in records.
func (e event) MarshalJSON() ([]byte, error) {
	return json.Marshal(namedEvent{lifecycle.Name(e.is), lifecycle.EncodeEvent(e.is)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *event) UnmarshalJSON(b []byte) (err error) {
	var named namedEvent
	if err = json.Unmarshal(b, &named); err == nil {
		e.is, err = lifecycle.DecodeEvent(named.Event, named.Data)
	}
	return err
}

func wrapped(events []lifecycle.Event) []event {
	out := make([]event, len(events))
	for i, e := range events {
		out[i] = event{e}
	}
	return out
}

func unwrapped(events []event) []lifecycle.Event {
	out := make([]lifecycle.Event, len(events))
	for i, e := range events {
		out[i] = e.is
	}
	return out
}

// wireError is an error in a message: its text and, if it is a lifecycle.Failure, its kind.
type wireError struct {
	Kind    lifecycle.FailureKind `json:"kind,omitempty"`
	Message string                `json:"message"`
}

func wireErrorOf(err error) *wireError {
	var failure *lifecycle.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failure):
		return &wireError{failure.Kind, failure.Message}
	}
	return &wireError{Message: err.Error()}
}

func (f *wireError) err() error {
	switch {
	case f == nil:
		return nil
	case f.Kind != "":
		return &lifecycle.Failure{Kind: f.Kind, Message: f.Message}
	}
	return errors.New(f.Message)
}
