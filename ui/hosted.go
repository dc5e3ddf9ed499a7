package ui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/screens"
	"pawl/ui/terminal"
)

// detachKeys count wherever the focus is: who leaves a session to itself has nothing to settle
// first.
func detachKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+\\"}, at: everywhere, do: (*model).detach, help: "detach: this screen closes, the session goes on"},
	}
}

// detach closes this screen and leaves the session to its host. What was sent or answered just
// now arrives first; the key once more does not wait for that.
func (m *model) detach() tea.Cmd {
	m.disarm()
	if m.underWay > 0 && !m.detaching {
		m.detaching = true
		return nil
	}
	return m.end(Ending{Detach: true})
}

// detachDone ends a screen that has waited for its last command.
func (m *model) detachDone() tea.Cmd {
	if m.detaching && m.underWay == 0 {
		return m.detach()
	}
	return nil
}

func (m *model) detachTyped(string) tea.Cmd { return m.detach() }

// resumed is the return of who has suspended the screen.
type resumed struct{ err error }

// suspend leaves the terminal to the shell, without reports of ours, until its user is back.
func (m *model) suspend() tea.Cmd {
	return tea.Sequence(
		terminal.Write(terminal.SchemeReportsOff),
		m.out.LendUntil(m.ctx, m.options.Suspend, func(err error) tea.Msg { return resumed{err} }),
	)
}

func (m *model) resumed(r resumed) tea.Cmd {
	if r.err != nil {
		m.say(draw.Failure, draw.Sprintf("not suspended: %s", sanitize.Line(r.err.Error())))
	}
	return tea.Batch(m.returned(), terminal.AskLooks()) // it may be another terminal by now, as in tmux
}

// Screens are the screens of one session in one process. Each has its own size, looks, focus,
// place and lines; what is of the session is the same on all of them. Its methods may be called
// from any goroutine.
type Screens struct {
	set *screens.Set[*model]

	mu   sync.Mutex
	seen map[lifecycle.SessionID]Seen
}

// NewScreens returns those of a session that is shown nowhere yet.
func NewScreens() *Screens {
	return &Screens{set: screens.New[*model](), seen: map[lifecycle.SessionID]Seen{}}
}

// AddDraft takes in what was typed to a session elsewhere, and kept among its drafts. The next screen
// begins with it.
func (s *Screens) AddDraft(session lifecycle.SessionID, text string) { s.set.Add(session, text) }

// SetMode tells all screens which permission mode holds now.
func (s *Screens) SetMode(mode string) { s.set.Tell("mode", modeElsewhere(mode)) }

// SetModel tells all screens which model the coming runs use.
func (s *Screens) SetModel(now Model) { s.set.Tell("model", modelElsewhere(now)) }

// SetEffort tells all screens which effort the coming runs ask for; empty: the model decides.
func (s *Screens) SetEffort(level string) { s.set.Tell("effort", effortElsewhere(level)) }

// saw joins what a person has seen of a session on one screen with what they have on others.
func (s *Screens) saw(session lifecycle.SessionID, seen Seen) Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen = seen.join(s.seen[session])
	s.seen[session] = seen
	return seen
}

// join is what was seen in two looks. Runs are numbered by time.
func (s Seen) join(other Seen) Seen {
	return Seen{Upto: max(s.Upto, other.Upto), End: max(s.End, other.End), Away: max(s.Away, other.Away)}
}

// modeElsewhere is the news of a permission mode that was chosen elsewhere.
func modeElsewhere(name string) func(*model) {
	return func(m *model) {
		if m.options.Mode != name {
			m.options.Mode = name
			m.say(draw.Quiet, draw.Sprintf("permission mode, from another screen: %s", name))
		}
	}
}

// modelElsewhere is the news of a model that was chosen elsewhere.
func modelElsewhere(now Model) func(*model) {
	return func(m *model) {
		if m.options.Model != now.Name {
			m.useModel(now)
			m.say(draw.Quiet, draw.Sprintf("model, from another screen: %s", now.Name))
		}
	}
}

// effortElsewhere is the news of an effort that was chosen elsewhere.
func effortElsewhere(level string) func(*model) {
	return func(m *model) {
		if m.options.Effort != level {
			m.options.Effort = level
			m.say(draw.Quiet, draw.Sprintf("effort, from another screen: %s", effortName(level)))
		}
	}
}

// newsCame says that another screen has told something.
type newsCame struct{}

// hear passes the other screens' news on until ctx ends.
func (m *model) hear(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.seat.Bell():
			send(newsCame{})
		}
	}
}

// takeNews takes in what other screens have told. One of them may have revoked a grant, of which there
// is no record.
func (m *model) takeNews() tea.Cmd {
	for _, change := range m.seat.News() {
		change(m)
	}
	return m.readGrants()
}
