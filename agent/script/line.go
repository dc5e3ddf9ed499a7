package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// line is one line of a scripted model's file: an answer, and when it is given.
type line struct {
	When     *when            `json:"when"`
	Text     string           `json:"text"`
	Thinking string           `json:"thinking"`
	Calls    []lineCall       `json:"calls"`
	Stop     agent.StopReason `json:"stop"`
	Error    *lineError       `json:"error"`
	Latency  duration         `json:"latency"`
	Stall    duration         `json:"stall"`

	failed *atomic.Int64 // how often Error was given
}

// when says which requests a line answers. What is left out is not asked about.
type when struct {
	Prompt string `json:"prompt"`
	Step   int    `json:"step"`
	Root   *bool  `json:"root"`
}

type lineCall struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type lineError struct {
	Kind       lifecycle.FailureKind `json:"kind"`
	Status     int                   `json:"status"`
	Message    string                `json:"message"`
	RetryAfter duration              `json:"retry_after"`
	Times      int64                 `json:"times"`
}

// duration is written "1.5s".
type duration time.Duration

func (d *duration) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf(`a duration is written "1.5s", not %s`, b)
	}
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed < 0 {
		return fmt.Errorf(`a duration is written "1.5s", not %q`, text)
	}
	*d = duration(parsed)
	return nil
}

// parseLine reads one line of a file, strictly.
func parseLine(text []byte) (line, error) {
	l := line{failed: new(atomic.Int64)}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return line{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return line{}, errors.New("there is more after the object")
	}
	return l, l.check()
}

func (l line) check() error {
	switch l.Stop {
	case "", agent.StopEnd, agent.StopToolCalls, agent.StopLength, agent.StopRefused, agent.StopUnknown:
	default:
		return fmt.Errorf("stop %q: must be end, tool_calls, length, refused or unknown", l.Stop)
	}
	if l.When != nil && l.When.Step < 0 {
		return fmt.Errorf("when.step %d: steps count from 1", l.When.Step)
	}
	for i, c := range l.Calls {
		if c.Name == "" {
			return fmt.Errorf("calls[%d]: it has no name", i)
		}
	}
	if l.Error == nil {
		return nil
	}
	switch l.Error.Kind {
	case "", lifecycle.FailProvider, lifecycle.FailRateLimited, lifecycle.FailAuth, lifecycle.FailContextLength, lifecycle.FailRefused:
	default:
		return fmt.Errorf("error.kind %q: must be provider, rate_limited, auth, context_length or refused", l.Error.Kind)
	}
	if l.Error.Times < 0 {
		return fmt.Errorf("error.times %d: must be how often the line fails, or 0 for always", l.Error.Times)
	}
	return nil
}

// turn is the answer of a line to these messages.
func (l line) turn(messages []agent.Message) Turn {
	fill := filler(messages)
	t := Turn{
		Text: fill.in(l.Text), Thinking: l.Thinking, Stop: l.Stop,
		Latency: time.Duration(l.Latency), Stall: time.Duration(l.Stall),
	}
	if l.fails() {
		t.Err = l.Error.asError()
		return t
	}
	for _, c := range l.Calls {
		t.Calls = append(t.Calls, agent.Call{Name: c.Name, Input: json.RawMessage(fill.in(c.input()))})
	}
	if missing := fill.missing; len(missing) > 0 {
		return Turn{Err: fmt.Errorf("scripted model: no result has %s", strings.Join(missing, ", "))}
	}
	return t
}

// fails says whether the error is given now, and counts it.
func (l line) fails() bool {
	return l.Error != nil && (l.failed.Add(1) <= l.Error.Times || l.Error.Times == 0)
}

// input is what the call is made with. A string stands for its own text, which
// need not be JSON.
func (c lineCall) input() string {
	var raw string
	switch {
	case len(c.Input) == 0:
		return "{}"
	case json.Unmarshal(c.Input, &raw) == nil:
		return raw
	}
	return string(c.Input)
}

func (e lineError) asError() error {
	message := e.Message
	if message == "" {
		message = "the scripted model failed as its file says"
	}
	failed := agent.StatusError(e.Status, time.Duration(e.RetryAfter), message, nil)
	if e.Kind != "" {
		failed.Kind = e.Kind
	}
	if e.Status == 0 {
		failed.Temporary = failed.Kind == lifecycle.FailRateLimited
	}
	return failed
}
