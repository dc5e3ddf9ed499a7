package lifecycle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// events is the one table of the closed set: the name of each event, as it
// stands in the database, in exports and in stream-json, and its Go type.
var events = []kind{
	of[Spawned]("spawned"),
	of[Queued]("queued"),
	of[Started]("started"),
	of[StepStarted]("step_started"),
	of[Waiting]("waiting"),
	of[Text]("text"),
	of[Thinking]("thinking"),
	of[ToolStarted]("tool_started"),
	of[ToolEnded]("tool_ended"),
	of[Searched]("searched"),
	of[PermissionAsked]("permission_asked"),
	of[PermissionGranted]("permission_granted"),
	of[PermissionDenied]("permission_denied"),
	of[MessageQueued]("message_queued"),
	of[MessageEdited]("message_edited"),
	of[MessageMoved]("message_moved"),
	of[MessageTaken]("message_taken"),
	of[MessageWithdrawn]("message_withdrawn"),
	of[Warned]("warned"),
	of[Nudged]("nudged"),
	of[Overdue]("overdue"),
	of[Detached]("detached"),
	of[Compacted]("compacted"),
	of[UsageReported]("usage"),
	of[StopRequested]("stop_requested"),
	of[Ended]("ended"),
	of[NotificationQueued]("notification_queued"),
	of[NotificationDelivered]("notification_delivered"),
	of[NotificationWithdrawn]("notification_withdrawn"),
	of[Consumed]("consumed"),
	of[FilesChanged]("files_changed"),
	of[Landed]("landed"),
	of[Rewound]("rewound"),
	of[Placed]("placed"),
}

// kind is one event of the set.
type kind struct {
	name   string
	goType reflect.Type
	decode func([]byte) (Event, error)
}

func of[E Event](name string) kind {
	return kind{name, reflect.TypeFor[E](), func(b []byte) (Event, error) {
		var e E
		err := json.Unmarshal(b, &e)
		return e, err
	}}
}

// EventNames lists the closed set in the order of the design.
func EventNames() []string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = e.name
	}
	return names
}

// Name is the event's name in every stored and sent form.
func Name(event Event) string {
	goType := reflect.TypeOf(event)
	for _, known := range events {
		if known.goType == goType {
			return known.name
		}
	}
	panic(fmt.Sprintf("lifecycle: %T is not in the closed set of events", event))
}

// EncodeEvent gives the event's fields as one JSON object, without its name.
func EncodeEvent(event Event) json.RawMessage { return mustJSON(event) }

// DecodeEvent reads what EncodeEvent wrote. The error names an unknown event.
func DecodeEvent(name string, body []byte) (Event, error) {
	for _, known := range events {
		if known.name != name {
			continue
		}
		event, err := known.decode(body)
		if err != nil {
			return nil, fmt.Errorf("read event %s: %w", name, err)
		}
		return event, nil
	}
	return nil, fmt.Errorf("read event: %q is not one of the events", name)
}

// envelope is what every record carries beside its event's own fields. No event
// has a field of these names, so both stand flat in one object.
type envelope struct {
	Seq     Seq             `json:"seq"`
	Time    time.Time       `json:"time"`
	Root    SessionID       `json:"root"`
	Session SessionID       `json:"session"`
	Run     RunID           `json:"run"`
	Request int64           `json:"request,omitempty"`
	Event   string          `json:"event"`
	Data    json.RawMessage `json:"data,omitempty"` // the last, as MarshalJSON puts it
}

// MarshalJSON writes the record as one flat object: {seq, time, root, session,
// run, request, event, data}. It is the line of stream-json and the record of an export.
func (r Record) MarshalJSON() ([]byte, error) {
	data := EncodeEvent(r.Event)
	record, err := json.Marshal(envelope{
		Seq: r.Seq, Time: r.Time.UTC(), Root: r.Root, Session: r.Session, Run: r.Run, Request: r.Request, Event: Name(r.Event),
	})
	if err != nil || bytes.Equal(data, []byte("{}")) {
		return record, err
	}
	// Encoding data again would cost a pass over it.
	record = slices.Grow(record, len(data)+len(`,"data":`))
	record = append(record[:len(record)-1], `,"data":`...)
	record = append(record, data...)
	return append(record, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Record) UnmarshalJSON(b []byte) error {
	var e envelope
	if err := json.Unmarshal(b, &e); err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	if e.Data == nil {
		e.Data = []byte("{}")
	}
	event, err := DecodeEvent(e.Event, e.Data)
	if err != nil {
		return fmt.Errorf("read record %d: %w", e.Seq, err)
	}
	*r = Record{Seq: e.Seq, Time: e.Time, Root: e.Root, Session: e.Session, Run: e.Run, Request: e.Request, Event: event}
	return nil
}
