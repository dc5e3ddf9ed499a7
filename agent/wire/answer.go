package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// linger is how long an answer that is whole waits for what may follow it: its
// usage, its checksum, the end of its stream.
const linger = 5 * time.Second

// Question is a request that a stream answers.
type Question struct {
	Path   string      // behind the server's address
	Header http.Header // beside the server's own
	Body   any         // as encoding/json writes it
	Keys   Keys        // of the answer's events
}

// Progress says how far an event has brought an answer.
type Progress int

// What an event can be to an answer.
const (
	Nothing Progress = iota // it keeps the line open, at most
	Piece                   // there is something of the answer in it
	Whole                   // with it the answer is whole; its usage, say, may follow
	Last                    // with it the answer is whole, and nothing follows
)

// Ask asks a question once and hands each event of the answer to take, from the
// calling goroutine, until the answer is whole. An event holds until take returns. beat
// says that the stream is alive, see Pulse.
//
// It returns nil for a whole answer, else ctx's error or a *agent.ProviderError: what
// take fails with, or what became of the stream.
func (s Server) Ask(ctx context.Context, q Question, beat func(), take func(event []byte) (Progress, error)) error {
	body, err := json.Marshal(q.Body)
	if err != nil {
		return &agent.ProviderError{Kind: lifecycle.FailProvider, Message: "write the request: " + err.Error(), Err: err}
	}
	reading, enough := context.WithCancel(ctx)
	defer enough()
	res, err := s.send(reading, http.MethodPost, q.Path, body, q.Header)
	if err != nil {
		return s.Failed(ctx, err)
	}
	defer res.Body.Close()
	life := NewPulse(time.Now, beat)
	stream := stream{res: res, events: NewEvents(life.Body(res.Body), q.Keys), take: func(event []byte) (Progress, error) {
		progress, err := take(event)
		if progress >= Piece {
			life.Step()
		}
		return progress, err
	}}
	whole, err := stream.read(reading, enough)
	// What breaks behind a whole answer breaks nothing, unless it came compressed: then
	// no more of it can be believed than all of it, for damage spreads.
	if err != nil && (!whole || res.Uncompressed && reading.Err() == nil) {
		return s.Failed(ctx, err)
	}
	if !whole {
		return s.takeWhole(ctx, stream)
	}
	return nil
}

// stream is the answer to one request on its way.
type stream struct {
	res    *http.Response
	events *Events
	take   func(event []byte) (Progress, error)
}

// read reads until the answer is whole, and a little longer where something may
// follow. Without an answer and an error, what came were no events.
func (s stream) read(ctx context.Context, enough func()) (whole bool, err error) {
	for ctx.Err() == nil {
		event, err := s.events.Next()
		switch {
		case errors.Is(err, io.EOF) && (whole || len(s.events.Stray()) > 0):
			return whole, nil
		case errors.Is(err, io.EOF), err == nil && string(event) == Done && !whole:
			return false, ErrCut
		case err != nil:
			return whole, err
		case string(event) == Done:
			return true, s.drain()
		}
		progress, err := s.take(event)
		switch {
		case err != nil:
			return whole, err
		case progress == Last:
			return true, s.drain()
		case progress == Whole && !whole:
			whole = true
			defer time.AfterFunc(linger, enough).Stop()
		}
	}
	return whole, ctx.Err()
}

// drain reads what follows a whole answer where that can still prove it wrong:
// the checksum behind a compressed one, unless the server keeps it waiting.
func (s stream) drain() error {
	if !s.res.Uncompressed {
		return nil
	}
	late := time.AfterFunc(linger, func() { _ = s.res.Body.Close() })
	if _, err := io.Copy(io.Discard, s.res.Body); late.Stop() {
		return err
	}
	return nil
}

// takeWhole takes what came instead of events: an answer all at once, or why there
// is none.
func (s Server) takeWhole(ctx context.Context, from stream) error {
	stray := from.events.Stray()
	if !json.Valid(stray) {
		return s.Failed(ctx, ErrUnreadable)
	}
	progress, err := from.take(stray)
	switch fault := ReadFault(stray); {
	case err != nil:
		return s.Failed(ctx, err)
	case progress >= Whole:
		return nil
	case fault.Message != "":
		return s.Judge(fault, 0, 0)
	}
	return s.Failed(ctx, ErrCut)
}

// Decode reads an event by the fields that a provider knows. One of another type than
// it should have stays empty and does not spoil the rest: servers differ.
func Decode(event []byte, into any) error {
	err := json.Unmarshal(event, into)
	if err == nil {
		return nil
	}
	var odd *json.UnmarshalTypeError
	if errors.As(err, &odd) && odd.Field != "" {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnreadable, err)
}
