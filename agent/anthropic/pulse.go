package anthropic

import (
	"io"
	"net/http"
	"time"

	"github.com/anthropics/anthropic-sdk-go/option"
)

// pulse tells that a stream is alive while it brings no piece of the answer: a
// model that thinks out of sight, or writes long arguments, sends only pings and
// fragments for minutes, and must not be taken for dead.
//
// Pings alone prove little, though: a stalled server sends them for ever. So
// without any event for patience the pulse stops, and whoever watches for
// silence may cut the stream.
//
// The beat comes from within Read, which the SDK calls on the goroutine that
// reads the stream.
type pulse struct {
	beat                func()
	every, patience     time.Duration
	now                 func() time.Time
	lastBeat, lastEvent time.Time
}

func newPulse(now func() time.Time, beat func()) *pulse {
	begun := now()
	return &pulse{beat: beat, every: 5 * time.Second, patience: 10 * time.Minute, now: now, lastBeat: begun, lastEvent: begun}
}

// event says that something came which is no ping.
func (p *pulse) event() { p.lastEvent = p.now() }

// attach is a middleware of the SDK.
func (p *pulse) attach(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err == nil && res.StatusCode == http.StatusOK {
		res.Body = pulsing{ReadCloser: res.Body, pulse: p}
	}
	return res, err
}

// came is called for each read that brought bytes.
func (p *pulse) came() {
	now := p.now()
	if now.Sub(p.lastBeat) < p.every || now.Sub(p.lastEvent) > p.patience {
		return
	}
	p.lastBeat = now
	p.beat()
}

type pulsing struct {
	io.ReadCloser
	pulse *pulse
}

func (b pulsing) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if n > 0 {
		b.pulse.came()
	}
	return n, err
}
