package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// Opened is what Options.Open gives, for the fields of the same names.
type Opened struct {
	Snapshot lifecycle.Snapshot
	OpenedAt lifecycle.Seq
	Tail     []lifecycle.Record
	Returned []lifecycle.Record
}

// begin shows what the options hold of the root session.
func (m *model) begin() {
	m.runs = transcript.NewRuns(m.options.Snapshot)
	if m.options.Forked != nil {
		m.runs.Forked = m.options.Forked.says()
	}
	m.waking, m.allStopped = m.options.Snapshot.Waking, m.options.Snapshot.AllStopped
	m.boardStamp++
	m.talks = map[lifecycle.SessionID]*transcript.Conversation{}
	root := m.talk(m.runs.Root())
	for _, rec := range m.options.Tail {
		if rec.Seq <= m.options.Snapshot.Seq { // what came after it is for the watch to bring
			root.Fold(rec)
		}
	}
	root.Complete = m.options.Snapshot.Seq == 0 || root.Complete
	root.UsersAtEnd()
	m.greet(root)
}

// reopen takes the session whole, where the first frames had only its end. What was
// read, opened, looked for or typed in the meantime stands.
func (m *model) reopen(whole Opened) tea.Cmd {
	before := m.talk(m.runs.Root())
	view := m.viewOf(m.runs.Root())
	at, blocks := view.mark(before), len(before.Blocks)
	m.options.Snapshot, m.options.OpenedAt, m.options.Tail = whole.Snapshot, whole.OpenedAt, joined(before.Records, whole.Tail)
	m.begin()
	root := m.talk(m.runs.Root())
	root.TakeOver(before)
	view.find(root, at, blocks)
	if m.search != nil {
		m.gather()
	}
	return tea.Batch(m.takeReturned(whole.Returned), m.toOldest(), m.keepUp(), m.fill())
}

// joined is the end of a log behind what was read of it before; the end alone where
// something between the two is not there.
func joined(before, end []lifecycle.Record) []lifecycle.Record {
	if len(before) == 0 {
		return end
	}
	last := before[len(before)-1].Seq
	at := slices.IndexFunc(end, func(rec lifecycle.Record) bool { return rec.Seq == last })
	if at < 0 {
		return end
	}
	return append(before[:len(before):len(before)], end[at+1:]...)
}

// sayFirst sends what the user wanted to say when they started Pawl, or carries it out
// where it is a command. What was left in the line stands there again behind it. While a
// question has to be answered first, it waits in the line.
func (m *model) sayFirst() tea.Cmd {
	first, line := m.options.First, m.line()
	if first == "" {
		return nil
	}
	m.options.First = ""
	if m.dialog != nil {
		line.Restore(first)
		return m.edited()
	}
	left := line.Text
	line.Set(first)
	sent := m.send()
	if left != "" {
		line.Restore(left)
	}
	return tea.Batch(sent, m.edited())
}

// greet tells who comes back to a session what was cut off, how to go on with it,
// and what the parent will hear with the next message.
func (m *model) greet(root *transcript.Conversation) {
	if !m.options.Snapshot.Reopened {
		return
	}
	var cutOff, shells []string
	forked := false
	for run := range m.runs.Runs() {
		forked = forked || m.options.Forked.cut(run)
		if run.Shell() && !run.UserShell() && run.Notification.Pending() && run.State == lifecycle.StateInterrupted {
			shells = append(shells, string(draw.Sprintf("%q", wording.Name(run))))
		}
		if run.Subagent() && m.runs.Latest(run.Session).ID == run.ID && run.State == lifecycle.StateInterrupted && run.Consumed == nil {
			cutOff = append(cutOff, string(draw.Sprintf("%q", wording.Name(run))))
		}
	}
	b := &transcript.Block{Kind: transcript.Note, Seq: m.options.Snapshot.Seq, At: m.clock.Read(), Tone: draw.Quiet, Sign: draw.Dot}
	var lines []string
	if len(cutOff)+len(shells) > 0 || m.runs.Latest(m.runs.Root()).State == lifecycle.StateInterrupted {
		b.Tone, b.Sign = draw.Caution, draw.CutOffSign
		lines = append(lines, endedMeanwhile(forked))
	} else {
		lines = append(lines, "reopened")
	}
	if len(cutOff) > 0 {
		lines = append(lines, "Interrupted: "+strings.Join(cutOff, ", "), string(draw.Sprintf("↓, then r continues one where it stopped")))
	}
	if len(shells) > 0 {
		which := "Commands that stopped with it: "
		if forked {
			which = "Commands of then: "
		}
		lines = append(lines, which+strings.Join(shells, ", "))
	}
	if owed := len(m.runs.Unreported()); owed > 0 {
		lines = append(lines, string(m.owedCount(owed)+" with your next message"))
	}
	b.Text = strings.Join(lines, "\n")
	if len(cutOff) == 0 && b.Tone == draw.Quiet { // short enough for one
		b.Text = strings.Join(lines, string(" "+draw.Dot+" "))
	}
	root.Greeting = root.Add(b)
}

// endedMeanwhile says why something is interrupted that nobody stopped.
func endedMeanwhile(forked bool) string {
	if forked {
		return "This was running when the session was forked: there it went on, and here nothing restarts on its own."
	}
	return "Pawl ended while this was running. Nothing restarts on its own."
}

// renderPending says what waits for the user: a run that was cut off, and results
// that go with the next message.
func (m *model) renderPending(c draw.Canvas, session lifecycle.SessionID, run lifecycle.Run) []draw.Styled {
	var lines []draw.Styled
	if run.State == lifecycle.StateInterrupted && !run.Shell() && !m.recorded() {
		words := c.Theme.Warn.Draw(c.Glyphs.Interrupted + " interrupted ")
		hint := sanitize.Text("· enter on the empty line continues it")
		if room := c.Width - draw.Cells(words); draw.Cells(hint) > room {
			hint = c.Cut("· enter continues it", room)
		}
		lines = append(lines, words+c.Theme.Dim.Draw(hint))
	}
	if session != m.runs.Root() {
		return lines
	}
	if owed := m.renderOwed(c, m.runs.DecidingRun()); owed != "" {
		lines = append(lines, owed)
	}
	return lines
}

// renderOwed says how many results wait for the user's next message, where that
// does not stand right above.
func (m *model) renderOwed(c draw.Canvas, run lifecycle.Run) draw.Styled {
	owed := m.runs.Unreported()
	talk := m.talk(m.runs.Root())
	if last := len(talk.Blocks) - 1; len(owed) == 0 || talk.Greeting != nil && talk.Blocks[last] == talk.Greeting {
		return ""
	}
	return c.Theme.Dim.Draw(c.Cut(c.Glyphs.Told+" "+m.owedWords(owed, run), c.Width))
}

// owedCount says how many ends are not delivered.
func (m *model) owedCount(n int) sanitize.Text {
	return draw.Sprintf("%s", words.CountOf(n, "result is reported", "results are reported"))
}

// owedWords say when the parent is told, and what keeps it from waking by itself
// until then.
func (m *model) owedWords(owed []lifecycle.Run, last lifecycle.Run) sanitize.Text {
	n := len(owed)
	if m.recorded() {
		return draw.Sprintf("%s to the main agent", words.CountOf(n, "result was not delivered", "results were not delivered"))
	}
	if m.waking {
		return m.owedCount(n) + " to the main agent in a moment"
	}
	if !slices.ContainsFunc(owed, func(run lifecycle.Run) bool { return run.Shell() || run.State != lifecycle.StateCanceledByUser }) {
		return draw.Sprintf("%s with your next message", words.CountOf(n, "stopped subagent is reported", "stopped subagents are reported"))
	}
	woken := m.runs.Woken()
	_, wakes := m.runs.Wakes(m.clock.Read())
	var why sanitize.Text
	switch {
	case m.allStopped:
		why = "you stopped everything"
	case last.Stopped():
		why = "you stopped the main agent"
	case last.Seq <= m.options.OpenedAt:
		why = "this session was reopened"
	case last.Unable():
		why = "the last run could not start"
	case !wakes:
		why = "you wrote to the subagent yourself"
	case woken == 0:
		why = "the main agent never continues on its own (subagents.max_auto_resumes)"
	default:
		why = draw.Sprintf("the main agent has continued on its own %s already", words.Count(woken, "time"))
	}
	return draw.Sprintf("%s with your next message: %s", m.owedCount(n), why)
}

// findHello finds the line that is said later.
func (m *model) findHello() tea.Cmd {
	find := m.options.Commands.Hello.Find
	if find == nil {
		return nil
	}
	return func() tea.Msg { return Hello{Words: find()} }
}

// sayHello says how one came to this session.
func (m *model) sayHello(hello Hello) {
	if hello.Words == "" {
		return
	}
	tone := draw.Quiet
	if hello.Trouble {
		tone = draw.Failure
	}
	m.say(tone, sanitize.Line(hello.Words))
}
