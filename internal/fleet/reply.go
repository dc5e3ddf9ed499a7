package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"pawl/internal/socket"
	"pawl/lifecycle"
)

// Reply is what a host says to an order.
type Reply struct {
	Type    string              `json:"type"`
	ID      string              `json:"id,omitempty"`
	Line    int                 `json:"line"`
	OK      bool                `json:"ok"`
	Error   string              `json:"error,omitempty"`
	Runs    []Reached           `json:"runs,omitempty"`    // those that it reached
	Message lifecycle.MessageID `json:"message,omitempty"` // set if the message waits
	Later   bool                `json:"later,omitempty"`   // compaction waits for the current run
	Granted []lifecycle.Deed    `json:"granted,omitempty"`
}

// Reached is a run that an order affected, as it stood then.
type Reached struct {
	Session lifecycle.SessionID `json:"session"`
	Run     lifecycle.RunID     `json:"run"`
	State   lifecycle.State     `json:"state"`
}

// Ask sends one order, anything that encodes as its line, and waits for the reply. A reply that
// says no is an error in the host's words, and so is a refused connection; one that the host
// closes without a reply is or wraps socket.ErrNoHost. Other lines that come before the reply are
// passed over: neither watch nor follow the status on this connection.
func Ask(ctx context.Context, conn *socket.Conn, order any) (Reply, error) {
	_, reply, err := exchange(ctx, conn, order)
	return reply, err
}

// AskLine is Ask for an order that is answered by a line of a type before its reply: that line, also
// beside an error; nil if none came.
func AskLine(ctx context.Context, conn *socket.Conn, order any, kind string) (line []byte, reply Reply, err error) {
	before, reply, err := exchange(ctx, conn, order)
	for _, one := range before {
		var l struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(one, &l) == nil && l.Type == kind {
			line = one
		}
	}
	return line, reply, err
}

// ErrLeaving is what a host answers that nobody needs any more, and that is about to leave.
var ErrLeaving = errors.New("this session has just been closed, because nothing went on in it: open it again")

// exchange is Ask, and returns the lines before the reply too.
func exchange(ctx context.Context, conn *socket.Conn, order any) (before [][]byte, reply Reply, err error) {
	line, err := json.Marshal(order)
	if err != nil {
		return nil, reply, fmt.Errorf("write an order: %w", err)
	}
	defer bounded(ctx, conn)()
	unsent := conn.WriteLine(line) // a host that refuses does not read it, and has said why
	for {
		line, files, err := conn.ReadLine()
		for _, file := range files {
			_ = file.Close()
		}
		switch {
		case err != nil:
			return before, reply, ended(ctx, conn, err, unsent)
		case !json.Valid(line):
			return before, reply, fmt.Errorf("process %d, which listens for this session, does not speak Pawl's protocol", conn.Peer())
		}
		if refused := socket.Refusal(line); refused != nil {
			return before, reply, refused
		}
		if reply, ok := replyIn(line); ok {
			switch {
			case reply.Error == ErrLeaving.Error():
				err = ErrLeaving
			case !reply.OK:
				err = errors.New(reply.Error)
			}
			return before, reply, err
		}
		before = append(before, line)
	}
}

// bounded ends reads and writes with ctx, until release is called.
func bounded(ctx context.Context, conn *socket.Conn) (release func()) {
	set := func(at time.Time) {
		_ = conn.SetReadDeadline(at)
		_ = conn.SetWriteDeadline(at)
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		set(time.Unix(1, 0))
		close(ended)
	})
	return func() {
		if !stop() {
			<-ended
			set(time.Time{})
		}
	}
}

// ErrUnanswered says that a host has had an order and not answered it: it may have been carried out.
var ErrUnanswered = errors.New("it may have been taken in: look before you send it again")

// unanswered is an error that is ErrUnanswered, too, and does not say so: for most orders that makes no
// difference.
type unanswered struct{ error }

func (e unanswered) Unwrap() []error { return []error{e.error, ErrUnanswered} }

// NotTaken reports whether an order was not carried out for certain, because its host leaves or was gone
// before it read it: another one may be asked.
func NotTaken(err error) bool {
	return errors.Is(err, ErrLeaving) || errors.Is(err, socket.ErrNoHost) && !errors.Is(err, ErrUnanswered)
}

// ended says why there is no reply. It is ErrUnanswered unless it is known that the host has not read the
// order: then the kernel resets the connection of a host that closes it, or ends.
func ended(ctx context.Context, conn *socket.Conn, err, unsent error) error {
	reset := errors.Is(err, syscall.ECONNRESET)
	switch {
	case ctx.Err() != nil && errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("process %d, which has this session open, does not answer: %w", conn.Peer(), ctx.Err())
	case errors.Is(err, io.EOF), reset, unsent != nil:
		err = fmt.Errorf("%w any more: it has just ended", socket.ErrNoHost)
	default:
		err = fmt.Errorf("read a reply: %w", err)
	}
	if unsent != nil || reset {
		return err
	}
	return unanswered{err}
}

func replyIn(line []byte) (reply Reply, ok bool) {
	ok = json.Unmarshal(line, &reply) == nil && reply.Type == "reply"
	return reply, ok
}
