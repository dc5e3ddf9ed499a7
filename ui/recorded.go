package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/replay"
	"pawl/ui/terminal"
)

// Recorded makes the screen one of what is over: all of it can be read, nothing of it
// goes on. No Route is needed, and none is asked. What Options keep from one start to
// the next, drafts, what was seen and prompts, has to be nil.
type Recorded struct {
	Name string // as people write it: a file, or the id of a session
	// At is when its last record was written: the time of the screen, unless it is played.
	At time.Time
	// Replay plays it, from its first record on; nil: it is opened at its end.
	Replay *replay.Player
}

// now is the clock of the screen: a recording's time stands still, or goes as it is played.
func (o Options) now() func() time.Time {
	switch r := o.Recorded; {
	case r == nil:
		return time.Now
	case r.Replay != nil:
		return r.Replay.Now
	default:
		return func() time.Time { return r.At }
	}
}

// follow sends what happens in the session from a snapshot on, until ctx ends; of a
// recording, what is played of it.
func (o Options) follow(ctx context.Context, from lifecycle.Snapshot, send func(tea.Msg)) error {
	switch r := o.Recorded; {
	case r == nil:
		return o.Route.Watch(ctx, from.Root, from.Seq, terminal.Pump(ctx, func(u lifecycle.Updates) { send(u) }))
	case r.Replay != nil:
		return r.Replay.Run(ctx, func(f replay.Frame) { send(f) })
	}
	return nil
}

// recorded reports whether the screen shows a recording.
func (m *model) recorded() bool { return m.options.Recorded != nil }

const onlyReadWords sanitize.Text = "this is a recording: it is read-only"

// onlyRead answers whatever would act on the session.
func (m *model) onlyRead() tea.Cmd {
	m.say(draw.Quiet, onlyReadWords)
	return nil
}

// played takes in what a replay shows next.
func (m *model) played(f replay.Frame) tea.Cmd {
	if f.Again {
		m.rewind()
	}
	m.reel = f.State
	cmd := m.take(lifecycle.Updates{Records: f.Records})
	if !f.State.Leaping {
		m.arrive()
	}
	return cmd
}

// rewind forgets the session, to fold it again from its first record. What is open of
// it stays open, if it is there when the replay arrives.
func (m *model) rewind() {
	if m.before == nil {
		m.before = m.talks
	}
	m.stopReading()
	m.since, m.pins = 0, pins{}
	m.begin()
}

// arrive settles what is shown where a replay has come to.
func (m *model) arrive() {
	for session, was := range m.before {
		m.talk(session).Inherit(was.Blocks)
	}
	m.before = nil
	known := func(session lifecycle.SessionID) bool {
		return session == m.runs.Root() || m.runs.Latest(session).ID != ""
	}
	if !known(m.card) {
		m.card = ""
	}
	if !known(m.open) {
		m.open = m.runs.Root()
	}
	if m.timeline != nil && !known(m.timeline.session) {
		m.timeline = nil
	}
}
