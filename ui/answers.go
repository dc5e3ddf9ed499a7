package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// reply is one of the answers to a question: it has a letter, a number by its place, and
// the mark, which Enter takes.
type reply struct {
	key        string
	words, few sanitize.Text
	do         func(*model) tea.Cmd
	wide       lifecycle.GrantScope // it reaches further than the call; empty: it does not
}

// replies are the answers that a question has, in order.
func (m *model) replies(q lifecycle.Question) []reply {
	all := []reply{{key: "y", words: "once", few: "once", do: (*model).allowOnce}}
	if !q.Each {
		all = append(all,
			reply{key: "a", words: draw.Sprintf("all %s until this turn ends", callsOf(q.Tool)), few: "all this turn", wide: lifecycle.GrantRun},
			reply{key: "s", words: "until you quit", few: "until quit", wide: lifecycle.GrantSession},
		)
	}
	if len(q.Rules) > 0 {
		all = append(all, reply{key: "p", words: draw.Sprintf("permanently allow %s", ruleWords(q)), few: "permanently", do: (*model).askAlways})
	}
	return append(all,
		reply{key: "n", words: "no", few: "no", do: (*model).deny},
		reply{key: "r", words: "refuse, and say why", few: "refuse + why", do: (*model).writeReason},
	)
}

// callsOf names all calls of a tool.
func callsOf(tool string) sanitize.Text {
	if tool == "shell" {
		return "shell commands"
	}
	return draw.Sprintf("%s calls", sanitize.Line(tool))
}

// marked is the place of the answer with the mark: no, until it was moved.
func (m *model) markedReply(all []reply) int {
	if m.asking.mark > 0 && m.asking.mark <= len(all) {
		return m.asking.mark - 1
	}
	for i, r := range all {
		if r.key == "n" {
			return i
		}
	}
	return 0
}

// markReply moves the mark, around the ends. Enter is the question's from then on.
func (m *model) markReply(by int) tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	m.disarm()
	all := m.replies(q)
	m.asking.mark = (m.markedReply(all)+by+len(all))%len(all) + 1
	m.asking.choosing = true
	m.changed()
	return nil
}

// takeReply takes the answer with the mark. An Enter that ends a sentence is none.
func (m *model) takeReply() tea.Cmd {
	q, _, any := m.front()
	if !any || !m.quiet(m.clock.Read()) {
		return nil
	}
	all := m.replies(q)
	return m.give(all[m.markedReply(all)], "enter")
}

// replyOf is the answer that a letter or a digit stands for: any other letter is text.
func (m *model) replyOf(key string) (reply, bool) {
	q, _, any := m.front()
	if !any || m.asking.answered == q.ID {
		return reply{}, false
	}
	for i, r := range m.replies(q) {
		if r.key == key || key == strconv.Itoa(i+1) {
			return r, true
		}
	}
	return reply{}, false
}

// answers reports whether a key stands for an answer now.
func answers(key string) func(*model) bool {
	return func(m *model) bool { _, is := m.replyOf(key); return is }
}

func gives(key string) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		r, is := m.replyOf(key)
		if !is {
			return nil
		}
		return m.give(r, key)
	}
}

// give gives an answer. One that is wider than the call says what it covers, and counts
// at the second press.
func (m *model) give(r reply, key string) tea.Cmd {
	q, _, any := m.front()
	if !any || m.asking.answered == q.ID {
		return nil
	}
	if r.wide == "" {
		return r.do(m)
	}
	deed := "allow for " + string(r.wide) + " " + string(q.ID)
	if m.pressed(deed, q.Session) {
		return m.answer(lifecycle.Answer{Allow: true, Scope: r.wide})
	}
	m.arm(deed, q.Session, draw.Sprintf("%s again allows %s", sanitize.Line(key), wording.Reach(q.Tool, q.Who, r.wide == lifecycle.GrantRun)))
	return nil
}

func (m *model) allowOnce() tea.Cmd {
	return m.answer(lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce})
}

func (m *model) deny() tea.Cmd { return m.answer(lifecycle.Answer{}) }

// answerLine draws the answers with their keys and the mark.
func (m *model) answerLine(c draw.Canvas, q lifecycle.Question, waiting int, long bool) []draw.Styled {
	all := m.replies(q)
	at := m.markedReply(all)
	var parts []draw.Styled
	for i, r := range all {
		words := r.words
		if !long || draw.Cells(words)+6 > c.Width {
			words = r.few
		}
		lead, look := draw.Styled(" "), c.Theme.Dim
		if i == at && m.line().Empty() || i == at && m.asking.choosing {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt), c.Theme.Selected
		}
		parts = append(parts, lead+c.Theme.Accent.Draw(draw.Sprintf("%d %s", i+1, sanitize.Line(r.key)))+" "+look.Draw(words))
	}
	other := [][2]sanitize.Text{{"ctrl+c", "deny it and stop the run"}, {"tab", "the next"}}
	if !long {
		other = [][2]sanitize.Text{{"ctrl+c", "deny, stop"}, {"tab", "next"}}
	}
	for _, o := range other[:min(waiting, 2)] {
		parts = append(parts, " "+c.Theme.Accent.Draw(o[0])+" "+c.Theme.Dim.Draw(o[1]))
	}
	return c.Flow(parts)
}
