package machines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Sender sends one direction of a pipe, one frame at a time, again until it is acknowledged. What
// comes while one is on its way goes out together.
type Sender struct {
	link    *Link
	subject string
	max     int

	mu      sync.Mutex
	conn    Conn               // none: nobody to send to yet
	number  int64              // of the next frame
	batch   []byte             // whole lines, or one line, being sent
	off     int                // how much of it is acknowledged
	waiting []byte             // what was read and is not in batch
	whole   int                // how much of waiting is whole lines
	last    []byte             // the last line, kept in case that the host dies before it has dealt with it
	ended   bool               // nothing more is read
	left    bool               // nobody cares any more
	sent    bool               // the end is acknowledged
	stir    chan struct{}      // holds a value when there may be something new to send
	room    chan struct{}      // holds a value when waiting has become shorter
	redial  chan struct{}      // holds a value when conn has changed
	giveUp  context.CancelFunc // ends the try that is on its way
}

// NewSender makes a Sender, which sends nothing before Connect.
func (l *Link) NewSender(subject string) *Sender {
	return &Sender{
		link: l, subject: subject, max: int(min(MaxFrame, l.nc.MaxPayload()-256)),
		stir: make(chan struct{}, 1), room: make(chan struct{}, 1), redial: make(chan struct{}, 1), giveUp: func() {},
	}
}

// Connect begins a connection: numbers begin at 0, what is not acknowledged is sent from the
// beginning of its line, and after the end the last line of all.
func (s *Sender) Connect(conn Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.number, s.off = conn, 0, 0
	if s.ended && len(s.batch) == 0 && s.whole == 0 {
		s.batch, s.sent = s.last, false
	}
	s.giveUp()
	signal(s.redial)
	signal(s.stir)
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Read reads from the pipe until its end, as far ahead as one frame. It returns an error for a
// line that is too long; one of reading is the end.
func (s *Sender) Read(from io.Reader) error {
	defer s.end()
	piece := make([]byte, 4<<10) // a host has one for each run
	for {
		n, err := from.Read(piece)
		if long := s.take(piece[:n]); long != nil {
			return long
		}
		if err != nil {
			return nil //nolint:nilerr // the end of a pipe has many
		}
		for s.crowded() {
			<-s.room
		}
	}
}

func (s *Sender) take(piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := bytes.LastIndexByte(piece, '\n'); at >= 0 {
		s.whole = len(s.waiting) + at + 1
		signal(s.stir)
	}
	s.waiting = append(s.waiting, piece...)
	if len(s.waiting)-s.whole > maxLine {
		return fmt.Errorf("a line of more than %d MB", maxLine>>20)
	}
	return nil
}

// crowded reports whether whole lines for a frame are waiting.
func (s *Sender) crowded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole >= s.max && !s.left
}

func (s *Sender) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left { // this is not the end of what the other end is to hear
		return
	}
	s.ended, s.whole = true, len(s.waiting) // a line that was cut off, too
	signal(s.stir)
}

// Abandon leaves the other end as it is: Read reads on without waiting for it, and no end is sent.
func (s *Sender) Abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = true
	signal(s.room)
}

// ErrOver means that the other end wants nothing more.
var ErrOver = errors.New("the attempt is over")

// Send sends what Read reads, and returns when the end is acknowledged, with ErrOver, or with ctx's
// cause. After Connect it can be called again.
func (s *Sender) Send(ctx context.Context) error {
	var pause Pause
	for {
		f, some := s.next()
		if !some {
			if s.done() {
				return nil
			}
			select {
			case <-s.stir:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			continue
		}
		answer, err := s.try(ctx, f)
		switch {
		case err == nil && answer == frameTaken:
			s.acknowledged(f)
			pause.Reset()
			continue
		case err == nil && answer == frameOver:
			return ErrOver
		}
		if err := pause.Wait(ctx, s.link, err, s.redial); err != nil {
			return err
		}
	}
}

func (s *Sender) done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// next is the frame to send now, if there is one.
func (s *Sender) next() (f Frame, some bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn.Number == 0 || s.sent {
		return f, false
	}
	if len(s.batch) == 0 && s.whole > 0 {
		s.cut()
	}
	f = Frame{Attempt: s.conn.Attempt, Conn: s.conn.Number, Number: s.number}
	if len(s.batch) == 0 {
		f.End = s.ended && len(s.waiting) == 0
		return f, f.End
	}
	f.Data = s.batch[s.off:min(len(s.batch), s.off+s.max)]
	f.More = s.off+len(f.Data) < len(s.batch)
	return f, true
}

// cut takes lines for one frame from what waits, or one line that is longer.
func (s *Sender) cut() {
	n := s.whole
	if n > s.max {
		if at := bytes.LastIndexByte(s.waiting[:s.max], '\n'); at >= 0 {
			n = at + 1
		} else if at := bytes.IndexByte(s.waiting[:s.whole], '\n'); at >= 0 {
			n = at + 1
		}
	}
	s.batch, s.off = s.waiting[:n:n], 0
	rest := s.waiting[n:]
	s.waiting, s.whole = append(make([]byte, 0, len(rest)), rest...), s.whole-n
	signal(s.room)
}

// try sends a frame once, and gives up when there is another connection.
func (s *Sender) try(ctx context.Context, f Frame) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	conn := s.conn
	if f.Conn != conn.Number {
		s.mu.Unlock()
		return frameLater, nil
	}
	s.giveUp = cancel
	s.mu.Unlock()
	answer, err := s.link.Ask(ctx, s.subject, conn.Seal(kindOf(s.subject), f))
	return string(answer), err
}

func (s *Sender) acknowledged(f Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Conn != s.conn.Number {
		return
	}
	s.number++
	s.sent = f.End
	if s.off += len(f.Data); s.off < len(s.batch) || f.End {
		return
	}
	s.last = lastLine(s.batch)
	s.batch, s.off = nil, 0
}

// lastLine is a copy of the last line, so that it keeps no other in memory.
func lastLine(lines []byte) []byte {
	at := bytes.LastIndexByte(lines[:max(0, len(lines)-1)], '\n')
	return bytes.Clone(lines[at+1:])
}
