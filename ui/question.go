package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
)

// asking is the question in front: which one of those that wait, since when, how far
// its body is scrolled, and what is being written for a no.
type asking struct {
	question lifecycle.QuestionID
	nth      int // its place among those that wait
	since    time.Time
	over     bool // it came over a line that was being written
	top      int
	room     int       // the rows of its body that are seen
	reason   *composer // nil: none is being written
	// answered is the question whose answer is on its way: no further key is for it.
	answered lifecycle.QuestionID
}

// A question that appears while somebody types takes no letter for an answer
// until they have paused: what goes on is their sentence.
const (
	stillTyping = time.Second
	settled     = time.Second
)

// front is the question that stands in front, and how many wait. It notes when it
// came. Where one is gone, answered or with its run, the next one takes its place.
func (m *model) front() (q lifecycle.Question, waiting int, any bool) {
	all := m.runs.questions()
	nth := slices.IndexFunc(all, func(q lifecycle.Question) bool { return q.ID == m.asking.question })
	if nth < 0 {
		m.nextInFront(all)
		nth = m.asking.nth
	}
	if len(all) == 0 {
		return q, 0, false
	}
	m.asking.nth = nth
	return all[nth], len(all), true
}

func (m *model) nextInFront(all []lifecycle.Question) {
	before := m.asking
	m.asking = asking{}
	if before.reason != nil { // what was typed to one question is no answer to another
		m.line().keep(before.reason.text)
	}
	if len(all) == 0 {
		return
	}
	nth := before.nth
	if nth >= len(all) {
		nth = 0
	}
	now := m.clock.read()
	m.asking = asking{question: all[nth].ID, nth: nth, since: now, over: before.reason != nil || m.writing(now)}
}

// rowsInFront is how many rows of what scrolls are seen.
func (m *model) rowsInFront() int {
	if m.at()&(atQuestion|atReason) != 0 {
		return m.asking.room
	}
	return m.picture.room
}

// asked reports whether a question waits.
func (m *model) asked() bool {
	if m.recorded() { // it was answered long ago, or never
		return false
	}
	_, _, any := m.front()
	return any
}

// walk shows another question that waits, and answers none.
func (m *model) walk(by int) tea.Cmd {
	all := m.runs.questions()
	if len(all) < 2 {
		return nil
	}
	m.front()
	nth := ((m.asking.nth+by)%len(all) + len(all)) % len(all)
	m.asking = asking{question: all[nth].ID, nth: nth, since: m.asking.since, over: m.asking.over, answered: m.asking.answered}
	m.changed()
	return nil
}

// writing reports whether somebody is in the middle of a line: they typed just now,
// or left one unfinished and have answered nothing since.
func (m *model) writing(now time.Time) bool {
	return now.Sub(m.typedAt) < stillTyping || !m.line().empty() && m.typedAt.After(m.answeredAt)
}

// tooSoon reports whether letters are still meant for the line that the question
// covered.
func (m *model) tooSoon(now time.Time) bool {
	m.front()
	paused := m.asking.since
	if m.typedAt.After(paused) {
		paused = m.typedAt
	}
	return m.asking.over && now.Sub(paused) < settled
}

func (m *model) answer(a lifecycle.Answer) tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	return m.answerTo(q, a)
}

func (m *model) answerTo(q lifecycle.Question, a lifecycle.Answer) tea.Cmd {
	if m.asking.answered == q.ID {
		return nil
	}
	a.By = "person"
	m.asking.answered = q.ID
	m.answeredAt = m.clock.read()
	return m.do(lifecycle.Resolve{Question: q.ID, Answer: a})
}

func questionKeys() []binding {
	allow := func(scope lifecycle.GrantScope) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.answer(lifecycle.Answer{Allow: true, Scope: scope}) }
	}
	walk := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.walk(by) } }
	return []binding{
		{keys: []string{"y"}, at: atQuestion, do: allow(lifecycle.GrantOnce), help: "allow this call"},
		{keys: []string{"a"}, at: atQuestion, when: (*model).reaching, do: allow(lifecycle.GrantRun), help: "allow this tool for this run"},
		{keys: []string{"s"}, at: atQuestion, when: (*model).reaching, do: allow(lifecycle.GrantSession), help: "allow this tool for its session"},
		{keys: []string{"p", "!"}, at: atQuestion, when: (*model).ruled, do: (*model).askAlways, help: "allow it always, by a rule that is shown first"},
		{keys: []string{"n", "esc"}, at: atQuestion, do: func(m *model) tea.Cmd { return m.answer(lifecycle.Answer{}) }, show: "n, esc", help: "deny it; the run goes on"},
		{keys: []string{"r", "N"}, at: atQuestion, do: (*model).writeReason, help: "deny it, and write why: the model reads it"},
		{keys: []string{"ctrl+c"}, at: atQuestion | atReason, do: (*model).denyAndStop, help: "deny it and stop that run"},
		{keys: []string{"tab", "right"}, at: atQuestion, do: walk(1), show: "tab, shift+tab", help: "the other questions that wait"},
		{keys: []string{"shift+tab", "left"}, at: atQuestion, do: walk(-1)},
	}
}

// reaching says that a yes to the question in front may reach further than its call.
func (m *model) reaching() bool {
	q, _, any := m.front()
	return any && !q.Each
}

// denyAndStop says no and stops the run that asked.
func (m *model) denyAndStop() tea.Cmd {
	q, _, any := m.front()
	switch {
	case !any:
		return nil
	case m.asking.answered == q.ID: // what it was answered stands
		return m.do(lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey})
	}
	m.asking.answered = q.ID
	return m.do(
		lifecycle.Resolve{Question: q.ID, Answer: lifecycle.Answer{By: "person"}},
		lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey},
	)
}
