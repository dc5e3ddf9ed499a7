package wire

import (
	"io"
	"time"
)

// How a Pulse beats.
const (
	beatInterval = 5 * time.Second  // at most
	aliveFor     = 10 * time.Minute // without a step of the answer
)

// Pulse tells that a stream is alive while it brings no piece of the answer: a
// model that thinks out of sight, or writes long arguments, sends only pings and
// fragments for minutes, and must not be taken for dead.
//
// Bytes alone prove little, though: a stalled server, or the gateway before it,
// sends pings for ever, and a sick one a byte now and then. So without any Step
// for ten minutes the pulse stops, and whoever watches for silence may cut the
// stream.
//
// The beat comes from within Read, so from the goroutine that reads the stream.
type Pulse struct {
	beat               func()
	now                func() time.Time
	lastBeat, lastStep time.Time
}

// NewPulse makes a pulse that begins now, with the request.
func NewPulse(now func() time.Time, beat func()) *Pulse {
	begun := now()
	return &Pulse{beat: beat, now: now, lastBeat: begun, lastStep: begun}
}

// Step says that something of the answer came: an event that is no ping.
func (p *Pulse) Step() { p.lastStep = p.now() }

// Body beats for each read of a body that brings bytes.
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
