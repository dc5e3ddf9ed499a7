package remote

import (
	"encoding/json"
	"errors"

	"pawl/lifecycle"
)

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
