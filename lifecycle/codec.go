package lifecycle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// events is the one table of the closed set: the name of each event, as it
// stands in the database, in exports and in stream-json, and how to read it.
var events = []struct {
	name   string
	decode func([]byte) (Event, error)
}{
	{"spawned", decode[Spawned]},
	{"queued", decode[Queued]},
	{"started", decode[Started]},
	{"step_started", decode[StepStarted]},
	{"waiting", decode[Waiting]},
	{"text", decode[Text]},
	{"thinking", decode[Thinking]},
	{"tool_started", decode[ToolStarted]},
	{"tool_ended", decode[ToolEnded]},
	{"permission_asked", decode[PermissionAsked]},
	{"permission_granted", decode[PermissionGranted]},
	{"permission_denied", decode[PermissionDenied]},
	{"message_queued", decode[MessageQueued]},
	{"message_edited", decode[MessageEdited]},
	{"message_moved", decode[MessageMoved]},
	{"message_taken", decode[MessageTaken]},
	{"message_withdrawn", decode[MessageWithdrawn]},
	{"warned", decode[Warned]},
	{"nudged", decode[Nudged]},
	{"overdue", decode[Overdue]},
	{"detached", decode[Detached]},
	{"compacted", decode[Compacted]},
	{"usage", decode[UsageReported]},
	{"stop_requested", decode[StopRequested]},
	{"ended", decode[Ended]},
	{"notification_queued", decode[NotificationQueued]},
	{"notification_delivered", decode[NotificationDelivered]},
	{"notification_withdrawn", decode[NotificationWithdrawn]},
	{"consumed", decode[Consumed]},
}

func decode[E Event](b []byte) (Event, error) {
	var e E
	err := json.Unmarshal(b, &e)
	return e, err
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
	switch event.(type) {
	case Spawned:
		return "spawned"
	case Queued:
		return "queued"
	case Started:
		return "started"
	case StepStarted:
		return "step_started"
	case Waiting:
		return "waiting"
	case Text:
		return "text"
	case Thinking:
		return "thinking"
	case ToolStarted:
		return "tool_started"
	case ToolEnded:
		return "tool_ended"
	case PermissionAsked:
		return "permission_asked"
	case PermissionGranted:
		return "permission_granted"
	case PermissionDenied:
		return "permission_denied"
	case MessageQueued:
		return "message_queued"
	case MessageEdited:
		return "message_edited"
	case MessageMoved:
		return "message_moved"
	case MessageTaken:
		return "message_taken"
	case MessageWithdrawn:
		return "message_withdrawn"
	case Warned:
		return "warned"
	case Nudged:
		return "nudged"
	case Overdue:
		return "overdue"
	case Detached:
		return "detached"
	case Compacted:
		return "compacted"
	case UsageReported:
		return "usage"
	case StopRequested:
		return "stop_requested"
	case Ended:
		return "ended"
	case NotificationQueued:
		return "notification_queued"
	case NotificationDelivered:
		return "notification_delivered"
	case NotificationWithdrawn:
		return "notification_withdrawn"
	case Consumed:
		return "consumed"
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
	Event   string          `json:"event"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// MarshalJSON writes the record as one flat object: {seq, time, root, session,
// run, event, data}. It is the line of stream-json and the record of an export.
func (r Record) MarshalJSON() ([]byte, error) {
	data := EncodeEvent(r.Event)
	if bytes.Equal(data, []byte("{}")) {
		data = nil
	}
	return json.Marshal(envelope{
		Seq: r.Seq, Time: r.Time.UTC(), Root: r.Root, Session: r.Session, Run: r.Run,
		Event: Name(r.Event), Data: data,
	})
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
	*r = Record{Seq: e.Seq, Time: e.Time, Root: e.Root, Session: e.Session, Run: e.Run, Event: event}
	return nil
}
