package ui

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// greet tells who comes back to a session what was cut off, how to go on with it,
// and what the parent will hear with the next message.
func (m *model) greet(root *conversation) {
	if !m.options.Snapshot.Reopened {
		return
	}
	var cutOff, shells []string
	owed := m.runs.owed()
	for _, id := range m.runs.order {
		run := m.runs.runs[id]
		if run.Shell() && run.Notification.Pending() && run.State == lifecycle.StateInterrupted {
			shells = append(shells, string(say("%q", name(run))))
		}
		if run.Subagent() && m.runs.latest[run.Session] == id && run.State == lifecycle.StateInterrupted && run.Consumed == nil {
			cutOff = append(cutOff, string(say("%q", name(run))))
		}
	}
	b := &block{kind: note, seq: m.options.Snapshot.Seq, at: m.clock.read(), tone: quiet, sign: dot}
	var lines []string
	if len(cutOff)+len(shells) > 0 || m.runs.of(m.runs.root).State == lifecycle.StateInterrupted {
		b.tone, b.sign = caution, cutOffSign
		lines = append(lines, "Pawl ended while this was at work. Nothing goes on by itself.")
	} else {
		lines = append(lines, "reopened")
	}
	if len(cutOff) > 0 {
		lines = append(lines, "Cut off: "+strings.Join(cutOff, ", "), string(say("↓ and then r continues one from where it stopped")))
	}
	if len(shells) > 0 {
		lines = append(lines, "Commands that ended with it: "+strings.Join(shells, ", "))
	}
	if owed > 0 {
		lines = append(lines, string(say("%s with your next message", plural(owed, "result goes", "results go"))))
	}
	b.text = strings.Join(lines, "\n")
	if len(cutOff) == 0 && b.tone == quiet { // short enough for one
		b.text = strings.Join(lines, string(" "+dot+" "))
	}
	root.greeting = root.add(b)
}

// renderPending says what waits for the user: a run that was cut off, and results
// that go with the next message.
func (m *model) renderPending(c canvas, run lifecycle.Run) []styled {
	var lines []styled
	if run.State == lifecycle.StateInterrupted && !run.Shell() && !m.recorded() {
		words := c.theme.warn.draw(c.glyphs.interrupted + " cut off ")
		hint := sanitize.Text("· enter on the empty line goes on where it stopped")
		if room := c.width - cells(words); cells(hint) > room {
			hint = c.cut("· enter goes on with it", room)
		}
		lines = append(lines, words+c.theme.dim.draw(hint))
	}
	if owed := m.renderOwed(c, m.runs.judged()); owed != "" {
		lines = append(lines, owed)
	}
	return lines
}

// renderOwed says how many results wait for the user's next message, where that
// does not stand right above.
func (m *model) renderOwed(c canvas, run lifecycle.Run) styled {
	if m.open != m.runs.root {
		return ""
	}
	n := m.runs.owed()
	talk := m.talk(m.open)
	if last := len(talk.blocks) - 1; n == 0 || talk.greeting != nil && talk.blocks[last] == talk.greeting {
		return ""
	}
	return c.theme.dim.draw(c.cut(c.glyphs.told+" "+m.owedWords(n, run), c.width))
}

// owedWords say when the parent is told, and what keeps it from waking by itself
// until then.
func (m *model) owedWords(n int, last lifecycle.Run) sanitize.Text {
	if m.recorded() {
		return say("%s the parent", plural(n, "result has not reached", "results have not reached"))
	}
	woken := m.runs.woken()
	var why sanitize.Text
	switch {
	case m.held, last.State == lifecycle.StateCanceledByUser, !last.StopRequestedAt.IsZero():
		why = "you stopped this session"
	case last.Seq <= m.options.Snapshot.Seq:
		why = "the session was opened again"
	case last.State == lifecycle.StateFailed && last.Step == 0:
		why = "the last run could not begin"
	case woken == 0:
		why = "the parent never wakes by itself (subagents.max_auto_resumes)"
	default:
		why = say("the parent woke by itself %s without you", plural(woken, "time", "times"))
	}
	return say("%s with your next message: %s", plural(n, "result goes", "results go"), why)
}
