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

// linger is how long a complete answer is kept open for what may follow it: usage, a
// checksum, the end of the stream.
const linger = 5 * time.Second

// Question is a request that is answered by a stream.
type Question struct {
	Path   string      // after the server's address
	Header http.Header // added to the server's own
	Body   any         // encoded with encoding/json
	Keys   Keys        // the fields of the answer's events
}

// Progress is how far an event has brought an answer.
type Progress int

// What an event can mean for an answer.
const (
	Nothing Progress = iota // it only keeps the connection open
	Piece                   // it holds something of the answer
	Whole                   // the answer is now complete, but usage may follow
	Last                    // the answer is complete, and nothing follows
)

// Ask sends a question once and passes each event of the answer to take, from the calling
// goroutine, until the answer is complete. An event is valid until take returns. beat is
// called as a sign of life, see Pulse.
//
// It returns nil for a complete answer, else ctx's error or a *agent.ProviderError: take's
// error, or what happened to the stream.
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
	// An error after a complete answer does not matter, unless the answer came compressed:
	// then damage spreads, so none of it can be trusted.
	if err != nil && (!whole || res.Uncompressed && reading.Err() == nil) {
		return s.Failed(ctx, err)
	}
	if !whole {
		return s.takeWhole(ctx, stream)
	}
	return nil
}

// stream is the answer to one request while it arrives.
type stream struct {
	res    *http.Response
	events *Events
	take   func(event []byte) (Progress, error)
}

// read reads until the answer is complete, and lingers if something may follow. Without an
// answer and without an error, the body held no events.
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

// drain reads the rest of a compressed stream, because its checksum can still prove the
// answer wrong. It gives up if the server keeps it waiting.
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

// takeWhole handles a body without events: a complete answer, or the reason for having none.
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

// Decode decodes an event into a provider's type. A field of an unexpected type stays
// empty and does not affect the rest, because servers differ.
func Decode(event []byte, into any) error {
	err := json.Unmarshal(event, into)
	if err == nil {
		return nil
	}
	var odd *json.UnmarshalTypeError // it allocates, and nearly every event has none
	if errors.As(err, &odd) && odd.Field != "" {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnreadable, err)
}
