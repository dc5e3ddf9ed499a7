package ui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// asking is the question in front, and what is being written for a no to it.
type asking struct {
	approval.Front
	reason     *composer.Composer   // nil: none is being written
	stands     lifecycle.QuestionID // the question that was seen in front last
	came       time.Time            // when it came there
	answeredAt time.Time            // when the one before it got its answer
}

// front is the question that stands in front, and how many wait. Where one is gone,
// answered or with its run, the next one takes its place.
func (m *model) front() (q lifecycle.Question, waiting int, any bool) {
	all := m.runs.Questions()
	if m.asking.Follow(all) {
		if m.asking.reason != nil { // what was typed to one question is no answer to another
			m.line().Insert(m.asking.reason.Text)
			m.asking.reason = nil
		}
	}
	if len(all) == 0 {
		return q, 0, false
	}
	return all[m.asking.Nth], len(all), true
}

// noticed is how long a question has to stand in front before a key can be meant for it: nobody has
// read it sooner.
const noticed = time.Second / 2

// noteFront notes since when the question stands in front that is seen there, not below something else.
func (m *model) noteFront() {
	if m.at()&(atQuestion|atReason) != 0 && m.asking.stands != m.asking.Question {
		m.asking.stands, m.asking.came = m.asking.Question, m.clock.Read()
	}
}

// expect notes that a key for it has put the question in front: who presses that expects it.
func (m *model) expect() {
	if m.at() == atQuestion {
		m.asking.stands = m.asking.Question
	}
}

// unseen reports whether nobody can have read the question in front.
func (m *model) unseen() bool {
	return m.asking.stands != m.asking.Question || m.clock.Read().Sub(m.asking.came) < noticed
}

// asked reports whether a question waits.
func (m *model) asked() bool {
	if m.recorded() { // it was answered long ago, or never
		return false
	}
	_, _, any := m.front()
	return any
}

// nextQuestion shows another question that waits, and answers none.
func (m *model) nextQuestion(by int) tea.Cmd {
	all := m.runs.Questions()
	if len(all) < 2 {
		return nil
	}
	m.front()
	m.asking.Walk(all, by)
	var shown tea.Cmd
	if m.dashboard != nil {
		shown = m.showAsker(all[m.asking.Nth].Session)
	}
	m.expect()
	return shown
}

func (m *model) answer(a lifecycle.Answer) tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	return m.answerTo(q, a)
}

func (m *model) answerTo(q lifecycle.Question, a lifecycle.Answer) tea.Cmd {
	if m.asking.Answered == q.ID {
		return nil
	}
	a.By = lifecycle.DeciderPerson
	m.answered(q)
	return m.do(lifecycle.Resolve{Question: q.ID, Answer: a})
}

// answered notes that a question has its answer, which was not meant for the one that comes next.
func (m *model) answered(q lifecycle.Question) {
	m.asking.Answered = q.ID
	m.keyedAt = m.clock.Read()
	m.asking.answeredAt = m.keyedAt
}

// markReply moves the mark, around the ends.
func (m *model) markReply(by int) tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	m.asking.Move(q, by)
	return nil
}

// takeReply takes the answer with the mark. An Enter that ends a sentence is none.
func (m *model) takeReply() tea.Cmd {
	q, _, any := m.front()
	if !any || !m.quiet(m.clock.Read()) {
		return nil
	}
	return m.give(m.asking.Marked(q), "enter")
}

// replyOf is the answer that a letter or a digit stands for now.
func (m *model) replyOf(key string) (approval.Answer, bool) {
	q, _, any := m.front()
	if !any || m.asking.Answered == q.ID {
		return approval.Answer{}, false
	}
	return approval.AnswerOf(q, key)
}

// answers reports whether a key stands for an answer now.
func answers(key string) func(*model) bool {
	return func(m *model) bool { _, is := m.replyOf(key); return is }
}

func gives(key string) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		a, is := m.replyOf(key)
		if !is {
			return nil
		}
		return m.give(a, key)
	}
}

// give gives an answer. One that is wider than the call says what it covers, and counts
// at the second press.
func (m *model) give(a approval.Answer, key string) tea.Cmd {
	q, _, any := m.front()
	if !any || m.asking.Answered == q.ID {
		return nil
	}
	switch a.Key {
	case approval.Once:
		return m.answerTo(q, lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce})
	case approval.Permanent:
		return m.askAlways(q)
	case approval.No:
		return m.deny()
	case approval.Why:
		return m.writeReason()
	}
	action := "allow for " + string(a.Wide) + " " + string(q.ID)
	if m.pressed(action, q.Session) {
		return m.answerTo(q, lifecycle.Answer{Allow: true, Scope: a.Wide})
	}
	reach := wording.Reach(q.Tool, q.Who, a.Wide == lifecycle.GrantRun)
	if q.Exact {
		reach = a.Words
	}
	m.arm(action, q.Session, draw.Sprintf("%s again allows %s", sanitize.Line(key), reach))
	return nil
}

func (m *model) deny() tea.Cmd { return m.answer(lifecycle.Answer{}) }

// renderQuestion draws the question in front; foot stands in the place of its answers,
// nil: the answers.
func (m *model) renderQuestion(c draw.Canvas, height int, foot []draw.Styled) []draw.Styled {
	m.front()
	v := approval.View{
		Waiting: m.runs.Questions(), Quiet: m.quiet(m.clock.Read()) && !m.unseen(), Typed: !m.line().Empty(),
		Notices: m.renderNotices(approval.Inner(c)), Foot: foot,
		Sums: m.sumsIn(c),
	}
	if !m.runs.Alive(m.runs.Root()) {
		v.Results = len(m.runs.Unreported())
	}
	return m.asking.Render(c, height, v)
}

func questionKeys() []binding {
	walk := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.nextQuestion(by) } }
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
		{keys: []string{"esc", "ctrl+c"}, at: atQuestion, when: (*model).strays, do: (*model).pauseFirst},
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
	case m.asking.Answered == q.ID: // what it was answered stands
		return m.do(lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey})
	}
	m.answered(q)
	return m.do(
		lifecycle.Resolve{Question: q.ID, Answer: lifecycle.Answer{By: lifecycle.DeciderPerson}},
		lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey},
	)
}

func reasonKeys() []binding {
	page := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.page(by) } }
	return []binding{
		{keys: []string{"enter"}, at: atReason, do: (*model).sendReason, help: "reason: deny with this text"},
		{keys: []string{"esc"}, at: atReason, do: (*model).leaveReason, help: "reason: back to the question"},
		{keys: []string{"ctrl+y"}, at: atReason, do: edit((*composer.Composer).Yank)},
		{keys: []string{"pgup"}, at: atReason, do: page(-1)},
		{keys: []string{"pgdown"}, at: atReason, do: page(1)},
	}
}

// also makes the keys of a composer count at a further place with a line to type.
func also(at place, bindings []binding) []binding {
	for i := range bindings {
		if bindings[i].at&typing != 0 {
			bindings[i].at |= at
		}
	}
	return bindings
}

// atQuestion is the place of who is asked: the question, or the words of their no.
func (m *model) atQuestion() place {
	if m.asking.reason != nil {
		return atReason
	}
	return atQuestion
}

// writeReason begins a no with words; Ctrl+Y brings back what was given up before.
func (m *model) writeReason() tea.Cmd {
	if q, _, any := m.front(); any && m.asking.Answered != q.ID {
		m.asking.reason = &composer.Composer{Goal: -1, Kills: composer.Kills{Ring: slices.Clone(m.line().Kills.Ring)}}
	}
	return nil
}

func (m *model) leaveReason() tea.Cmd {
	m.line().Keep(m.asking.reason.Text)
	m.asking.reason = nil
	return m.edited()
}

// sendReason says no, with the words as far as there are any. They are kept until they have arrived.
func (m *model) sendReason() tea.Cmd {
	reason := strings.TrimSpace(m.asking.reason.Text)
	said := m.answer(lifecycle.Answer{Reason: reason})
	if said == nil {
		return nil
	}
	m.asking.reason = nil
	if reason != "" {
		m.onItsWay(m.open, reason)
	}
	return said
}

// reasonDone follows the end of a no with words. Those that have not arrived are back where they were
// written or, where that question waits no more, in the composer.
func (m *model) reasonDone(resolve lifecycle.Resolve, err error) tea.Cmd {
	m.arrived(resolve.Answer.Reason)
	q, _, any := m.front()
	switch words := resolve.Answer.Reason; {
	case err == nil:
	case any && q.ID == resolve.Question && m.asking.reason == nil && !errors.Is(err, lifecycle.ErrUnknown):
		m.asking.Answered = ""
		if m.writeReason(); m.asking.reason != nil {
			m.asking.reason.Set(words)
		}
	default:
		m.line().Restore(words)
	}
	return m.edited()
}

// editReason changes the words. While they are typed nothing else takes their letters.
func (m *model) editReason(change func(*composer.Composer)) tea.Cmd {
	m.keyedAt = m.clock.Read()
	change(m.asking.reason)
	return m.edited()
}

// mostReason is how many rows of the words are seen at once.
const mostReason = 3

// renderReason draws the question with a line below it for why not.
func (m *model) renderReason(c draw.Canvas, height int) (lines []draw.Styled, y, x int) {
	inner := approval.Inner(c)
	words, y, x := m.asking.reason.Render(inner, "reason, or what to do instead", mostReason)
	keys := inner.KeyLine([][2]sanitize.Text{{"enter", "deny with this reason"}, {"esc", "back"}, {"ctrl+c", "deny and stop the run"}})
	if len(keys) > 1 {
		keys = inner.KeyLine([][2]sanitize.Text{{"enter", "no"}, {"esc", "back"}, {"ctrl+c", "stop"}})
	}
	lines = m.renderQuestion(c, height, append(words, keys...))
	_, below := c.FrameRows()
	return lines, len(lines) - below - len(keys) - len(words) + y, x + 2 + c.FrameCells()
}

// askAlways shows in full what would hold from now on. It is not for this session
// alone, so it takes a second key.
func (m *model) askAlways(q lifecycle.Question) tea.Cmd {
	m.dialog = m.alwaysDialog(q.Rules, "back to the question", func(m *model) tea.Cmd {
		return m.answerTo(q, lifecycle.Answer{Allow: true, Scope: lifecycle.GrantAlways})
	})
	m.dialog.Over = func(m *model) sanitize.Text {
		if slices.ContainsFunc(m.runs.Questions(), func(open lifecycle.Question) bool { return open.ID == q.ID }) {
			return ""
		}
		return "the question is settled"
	}
	return nil
}

// alwaysDialog shows rules that are to hold for good, each in full.
func (m *model) alwaysDialog(rules []string, back sanitize.Text, yes func(*model) tea.Cmd) *dialog {
	d := &dialog{
		Title: "Always allow this, without asking?",
		Whole: true,
		Choices: []choice{
			{Key: "y", Label: "yes, always in this folder", Do: yes},
			{Key: "esc", Label: back, Do: nil},
		},
		At: 1,
	}
	for _, rule := range rules {
		d.Body = append(d.Body, sanitize.Line(rule))
	}
	if m.options.Allowed != "" {
		d.Body = append(d.Body, "", draw.Sprintf("for Pawl and its subagents; kept in %s", sanitize.Line(m.options.Allowed)))
	}
	return d
}
