package machines

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pawl/lifecycle"
)

// MaxFrame is how many bytes of a pipe one frame carries at most, where the server allows it.
const MaxFrame = 256 << 10

// maxLine bounds one line of a pipe: agent/remote allows a worker no longer ones.
const maxLine = 65 << 20

// Frame is a piece of what goes through one direction of a process's pipe: whole lines, or a part
// of one that is too long. It is sent as a line of its own, its head, before the bytes, because each
// costs what a request does and must cost no more: see Conn.Seal.
type Frame struct {
	Attempt
	Conn   uint64 // the connection's number
	Number int64  // from 0, in each connection
	More   bool   // the next frame goes on with the line
	End    bool   // nothing comes after it
	Data   []byte // sealed, in a frame that ParseFrame has read
}

// head is the line before the data, with room for that.
func (f Frame) head() []byte {
	flags := byte('-')
	switch {
	case f.More:
		flags = '+'
	case f.End:
		flags = '.'
	}
	out := make([]byte, 0, len(f.Run)+len(f.Data)+64)
	out = append(out, f.Run...)
	out = append(out, ' ')
	out = strconv.AppendInt(out, int64(f.Attempt.Number), 10)
	out = append(out, ' ')
	out = strconv.AppendUint(out, f.Conn, 36)
	out = append(out, ' ')
	out = strconv.AppendInt(out, f.Number, 10)
	return append(out, ' ', flags, '\n')
}

// ParseFrame reads a frame as it was sent. Nothing in it is known to be true before Conn.Open.
func ParseFrame(body []byte) (f Frame, err error) {
	head, data, _ := bytes.Cut(body, []byte("\n"))
	parts := strings.Split(string(head), " ")
	if len(parts) != 5 {
		return f, errors.New("a frame without a head")
	}
	f.Run, f.Data = lifecycle.RunID(parts[0]), data
	var faults [3]error
	f.Attempt.Number, faults[0] = strconv.Atoi(parts[1])
	f.Conn, faults[1] = strconv.ParseUint(parts[2], 36, 64)
	f.Number, faults[2] = strconv.ParseInt(parts[3], 10, 64)
	f.More, f.End = parts[4] == "+", parts[4] == "."
	if err := errors.Join(faults[:]...); err != nil {
		return f, fmt.Errorf("a frame with a broken head: %w", err)
	}
	return f, nil
}

// The answers to a frame.
const (
	frameTaken = "ok"
	frameLater = "later" // the other end is not ready for it, or it is of another connection
	frameOver  = "over"  // nobody wants it any more
)

// Answer answers a frame that no Receiver takes.
func (r *Request) Answer(v Verdict) { r.Reply([]byte(v)) }

// Discard takes a frame and throws it away: nobody reads what that process says any more.
func (r *Request) Discard() { r.Reply([]byte(frameTaken)) }
