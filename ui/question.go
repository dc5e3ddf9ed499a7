package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/composer"
)

// asking is the question in front: which one of those that wait, which of its answers
// has the mark, how far its body is scrolled, and what is being written for a no.
type asking struct {
	question lifecycle.QuestionID
	nth      int  // its place among those that wait
	mark     int  // the answer with the mark, 1 for the first; 0: it was not moved
	choosing bool // Enter takes the mark, whatever stands in the line
	top      int
	room     int                // the rows of its body that are seen
	reason   *composer.Composer // nil: none is being written
	// answered is the question whose answer is on its way: no further key is for it.
	answered lifecycle.QuestionID
}

// front is the question that stands in front, and how many wait. It notes when it
// came. Where one is gone, answered or with its run, the next one takes its place.
func (m *model) front() (q lifecycle.Question, waiting int, any bool) {
	all := m.runs.Questions()
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
		m.line().Insert(before.reason.Text)
	}
	if len(all) == 0 {
		return
	}
	nth := before.nth
	if nth >= len(all) {
		nth = 0
	}
	m.asking = asking{question: all[nth].ID, nth: nth}
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
	all := m.runs.Questions()
	if len(all) < 2 {
		return nil
	}
	m.front()
	m.disarm()
	nth := ((m.asking.nth+by)%len(all) + len(all)) % len(all)
	m.asking = asking{question: all[nth].ID, nth: nth, answered: m.asking.answered}
	m.changed()
	return nil
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
	m.keyedAt = m.clock.Read() // it was not meant for the question that comes next
	return m.do(lifecycle.Resolve{Question: q.ID, Answer: a})
}

func questionKeys() []binding {
	walk := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.walk(by) } }
	mark := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.markReply(by) } }
	return []binding{
		{keys: []string{"y"}, at: atQuestion, when: answers("y"), do: gives("y"), help: "allow this call"},
		{keys: []string{"a"}, at: atQuestion, when: answers("a"), do: gives("a"), help: "allow this tool until the turn ends; press twice within 2 s"},
		{keys: []string{"s"}, at: atQuestion, when: answers("s"), do: gives("s"), help: "allow this tool until you quit; press twice within 2 s"},
		{keys: []string{"p", "!"}, at: atQuestion, when: answers("p"), do: gives("p"), help: "allow it permanently, by a rule shown first"},
		{keys: []string{"n"}, at: atQuestion, when: answers("n"), do: gives("n"), help: "deny it; the run goes on; esc too"},
		{keys: []string{"r", "N"}, at: atQuestion, when: answers("r"), do: gives("r"), help: "deny it and write why; the model reads that"},
		{keys: []string{"1"}, at: atQuestion, when: answers("1"), do: gives("1")},
		{keys: []string{"2"}, at: atQuestion, when: answers("2"), do: gives("2")},
		{keys: []string{"3"}, at: atQuestion, when: answers("3"), do: gives("3")},
		{keys: []string{"4"}, at: atQuestion, when: answers("4"), do: gives("4")},
		{keys: []string{"5"}, at: atQuestion, when: answers("5"), do: gives("5")},
		{keys: []string{"6"}, at: atQuestion, when: answers("6"), do: gives("6")},
		{keys: []string{"left"}, at: atQuestion, do: mark(-1), show: "←, →, enter", help: "choose an answer; digits too. Ignored until no key was pressed for 2 s"},
		{keys: []string{"right"}, at: atQuestion, do: mark(1)},
		{keys: []string{"enter"}, at: atQuestion, do: (*model).takeReply},
		{keys: []string{"esc"}, at: atQuestion, do: (*model).deny},
		{keys: []string{"ctrl+c"}, at: atQuestion | atReason, do: (*model).denyAndStop, help: "deny it and stop that run"},
		{keys: []string{"tab"}, at: atQuestion, do: walk(1), show: "tab, shift+tab", help: "the other open questions"},
		{keys: []string{"shift+tab"}, at: atQuestion, do: walk(-1)},
	}
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
	m.keyedAt = m.clock.Read()
	return m.do(
		lifecycle.Resolve{Question: q.ID, Answer: lifecycle.Answer{By: "person"}},
		lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey},
	)
}
