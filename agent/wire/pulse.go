package wire

import (
	"io"
	"time"
)

// The timing of a Pulse.
const (
	beatInterval = 5 * time.Second  // between two beats, at least
	aliveFor     = 10 * time.Minute // after the last step of the answer
)

// Pulse signals that a stream is alive while it brings no piece of the answer. A model
// that thinks invisibly or writes long arguments sends only pings and fragments for
// minutes, and must not be taken for dead.
//
// But bytes alone prove little: a stalled server or gateway may send pings for ever. So
// the pulse stops ten minutes after the last Step, and whoever watches for silence may
// then abort the stream.
//
// beat is called from Read, so from the goroutine that reads the stream.
type Pulse struct {
	beat               func()
	now                func() time.Time
	lastBeat, lastStep time.Time
}

// NewPulse returns a pulse that starts now, with the request.
func NewPulse(now func() time.Time, beat func()) *Pulse {
	begun := now()
	return &Pulse{beat: beat, now: now, lastBeat: begun, lastStep: begun}
}

// Step notes that something of the answer came: an event that is not a ping.
func (p *Pulse) Step() { p.lastStep = p.now() }

// Body wraps a body so that reads with data beat.
func (p *Pulse) Body(body io.ReadCloser) io.ReadCloser { return pulsedBody{body, p} }

func (p *Pulse) received() {
	now := p.now()
	if now.Sub(p.lastBeat) < beatInterval || now.Sub(p.lastStep) > aliveFor {
		return
	}
	p.lastBeat = now
	p.beat()
}

type pulsedBody struct {
	io.ReadCloser
	pulse *Pulse
}

func (b pulsedBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if n > 0 {
		b.pulse.received()
	}
	return n, err
}
