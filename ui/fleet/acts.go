package fleet

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// arming is a key that counts when it comes twice.
type arming struct {
	session lifecycle.SessionID // that is stopped then; empty: nothing is armed
	until   time.Time
}

// armedFor is how long a first press counts.
const armedFor = 2 * time.Second

func (m *model) disarm() {
	if m.armed.session != "" {
		m.armed = arming{}
		m.unsay()
		m.changed()
	}
}

// underWay is what was asked of sessions and not answered yet. Leaving waits a moment for it, and a
// message of which nothing was heard stays a draft.
type underWay struct {
	sync.WaitGroup
	mu    sync.Mutex
	texts map[lifecycle.SessionID]string
}

// leaveWait is how long leaving waits for the answers of hosts.
const leaveWait = 3 * time.Second

// ask asks something of a session, in the background.
func (m *model) ask(d done, do func(ctx context.Context) error) tea.Cmd {
	m.underWay.Add(1)
	if d.text != "" {
		m.underWay.put(d.s.ID, d.text)
	}
	ctx := m.ctx
	return func() tea.Msg {
		defer m.underWay.Done()
		if d.err = do(ctx); d.err == nil && d.text != "" {
			m.underWay.put(d.s.ID, "")
		}
		return d
	}
}

func (u *underWay) put(session lifecycle.SessionID, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if text == "" {
		delete(u.texts, session)
		return
	}
	if u.texts == nil {
		u.texts = map[lifecycle.SessionID]string{}
	}
	u.texts[session] = text
}

// settle waits until all is answered, or for a time.
func (u *underWay) settle(within time.Duration) {
	answered := make(chan struct{})
	go func() {
		u.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(within):
	}
}

// done is what became of something that was asked of a session.
type done struct {
	s    Session
	said sanitize.Text // when it was done
	err  error
	undo func(*model) // where it was not; may be nil
	text string       // of a message
}

func (m *model) done(d done) {
	if d.text != "" {
		m.underWay.put(d.s.ID, "") // it is taken, or in its line again
	}
	if d.err == nil {
		m.say(draw.Quiet, d.said)
		return
	}
	m.say(draw.Failure, draw.Sprintf("%s: %s", quoted(&d.s), sanitize.Line(d.err.Error())))
	if d.undo != nil {
		d.undo(m)
	}
}

// move selects another session.
func (m *model) move(by int) tea.Cmd {
	m.disarm()
	m.board.move(by)
	m.changed()
	return nil
}

// nextNeed selects the next session that needs its user.
func (m *model) nextNeed() tea.Cmd {
	m.disarm()
	if !m.board.next() {
		m.say(draw.Quiet, "no session needs you")
	}
	m.changed()
	return nil
}

// stop stops the selected session at the second press.
func (m *model) stop() tea.Cmd {
	armed, now := m.armed, m.now()
	if !m.pressed.IsZero() {
		now = m.pressed
	}
	m.disarm()
	s, is := m.board.current()
	switch {
	case !is:
		return nil
	case !s.Hosted:
		m.say(draw.Quiet, draw.Sprintf("%s is not open: there is nothing to stop", quoted(&s)))
		return nil
	case m.stopping[s.ID]:
		m.say(draw.Quiet, draw.Sprintf("stopping %s", quoted(&s)))
		return nil
	case armed.session != s.ID || !now.Before(armed.until):
		m.armed = arming{s.ID, m.now().Add(armedFor)}
		m.say(draw.Caution, draw.Sprintf("x again stops %s%s", quoted(&s), with(&s)))
		return nil
	}
	m.stopping[s.ID] = true
	m.say(draw.Quiet, draw.Sprintf("stopping %s", quoted(&s)))
	asked := done{s: s, said: draw.Sprintf("stopped %s", quoted(&s)), undo: func(m *model) { delete(m.stopping, s.ID) }}
	return m.ask(asked, func(ctx context.Context) error { return m.options.Stop(ctx, s.ID) })
}

// with names what is stopped with a session.
func with(s *Session) sanitize.Text {
	if s.Subagents == 0 {
		return ""
	}
	return draw.Sprintf(" and its %s", words.Count(s.Subagents, "subagent"))
}

// attach goes on with the selected session, if that can be opened.
func (m *model) attach() tea.Cmd {
	s, is := m.board.current()
	if !is {
		m.say(draw.Quiet, "no session is selected: + begins one")
		return nil
	}
	openable, ctx := m.options.Openable, m.ctx
	if openable == nil {
		return m.end(Ending{Attach: s.ID})
	}
	return func() tea.Msg { return looked{s, openable(ctx, s.ID)} }
}

// looked is what prevents a session from being opened, as far as that can be told from here.
type looked struct {
	s   Session
	err error
}

func (m *model) looked(l looked) tea.Cmd {
	if l.err != nil {
		m.say(draw.Failure, draw.Sprintf("%s: %s", quoted(&l.s), sanitize.Line(l.err.Error())))
		return nil
	}
	return m.end(Ending{Attach: l.s.ID})
}

// esc closes what covers the list, else clears the filter, else leaves.
func (m *model) esc() tea.Cmd {
	switch {
	case m.armed.session != "":
		m.disarm()
	case m.covered && m.layout().over:
		m.covered = false
		m.changed()
	case m.board.filter != "":
		m.board.seek("")
		m.changed()
	default:
		return m.leave()
	}
	return nil
}

func (m *model) leave() tea.Cmd { return m.end(Ending{}) }

// end ends the screen.
func (m *model) end(e Ending) tea.Cmd {
	m.ending = e
	m.follows.Store(e.Attach != "" || e.Begin != "")
	return tea.Quit
}

// resumed follows a suspension.
type resumed struct{ err error }

// suspend leaves the terminal to the shell, without reports of ours.
func (m *model) suspend() tea.Cmd {
	m.disarm()
	return tea.Sequence(terminal.Write(terminal.SchemeReportsOff), m.out.LendUntil(m.ctx, m.options.Suspend, func(err error) tea.Msg { return resumed{err} }))
}

func (m *model) resumed(msg tea.Msg) tea.Cmd {
	if r, is := msg.(resumed); is && r.err != nil {
		m.say(draw.Failure, sanitize.Line(r.err.Error()))
	}
	m.changed()
	return terminal.AskLooks()
}
