package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// The rules of Esc and Ctrl+C, one function a cell of the design's table. No key
// stops a background run by accident: only its own card or view does, or "stop
// all".

// act carries out a key. What the key before it has armed counts for this one only.
func (m *model) act(b *binding) tea.Cmd {
	m.wasArmed = m.armed
	defer func() { m.wasArmed = arming{} }()
	m.disarm()
	return b.do(m)
}

// pressed reports whether the key before this one was armed for this action.
func (m *model) pressed(action string, session lifecycle.SessionID) bool {
	armed, now := m.wasArmed, m.clock.Read()
	if !m.pressedAt.IsZero() { // it was held since
		now = m.pressedAt
	}
	return armed.action == action && armed.session == session && now.Before(armed.until)
}

// arm makes the next press within two seconds count.
func (m *model) arm(action string, session lifecycle.SessionID, hint sanitize.Text) {
	m.armed = arming{action, session, m.clock.Read().Add(armedFor)}
	m.say(draw.Caution, hint)
}

func (m *model) disarm() {
	if m.armed.action != "" {
		m.armed = arming{}
		m.unsay()
	}
}

func (m *model) stop(session lifecycle.SessionID) tea.Cmd {
	return m.do(lifecycle.Stop{Session: session, Cause: lifecycle.CauseKey})
}

// hasUserShell reports whether a command of the user's own runs in the session that is shown. Esc and
// Ctrl+C in its composer stop that first, and nothing else.
func (m *model) hasUserShell() bool { return m.runs.UserShell(m.open).ID != "" }

func (m *model) stopUserShell() tea.Cmd {
	if !m.hasUserShell() { // chosen in the palette
		m.say(draw.Quiet, "no command of yours runs here")
		return nil
	}
	return m.stop(m.runs.UserShell(m.open).Session)
}

// leaveShell makes a message of the command line that is being typed.
func (m *model) leaveShell() tea.Cmd {
	m.line().LeaveShell()
	return m.edited()
}

// escComposer stops what the parent waits for, else the parent, else nothing.
func (m *model) escComposer() tea.Cmd {
	again := m.pressed("take back", "")
	switch root := m.runs.Root(); {
	case m.leaving:
		m.leaving = false
		m.say(draw.Quiet, "not quitting")
		return nil
	case m.hasForeground():
		return m.do(lifecycle.StopForeground{Session: root, Cause: lifecycle.CauseKey})
	case m.runs.Alive(root), m.isSending(root):
		return m.stop(root)
	case m.runs.Working() == 0:
		return m.escIdle(again)
	}
	had, cmd := m.clearLine()
	var notice sanitize.Text
	if n := m.runs.Background(); n > 0 {
		notice = draw.Sprintf("%s in the background %s ↓ selects one, ctrl+x stops all", words.CountOf(n, "run goes on", "runs go on"), draw.Dot)
	}
	if had {
		notice = joinWords(clearedWords, notice)
	}
	m.say(draw.Quiet, notice)
	m.notice.Background = m.runs.Background()
	return cmd
}

const clearedWords sanitize.Text = "cleared · ctrl+y restores it"

// clearLine empties the line, and reports whether anything stood there.
func (m *model) clearLine() (had bool, cmd tea.Cmd) {
	had = !m.line().Empty()
	m.line().Clear()
	return had, m.edited()
}

// escIdle clears the line while nothing runs; on an empty one the second press lists the points to
// which the session can be taken back.
func (m *model) escIdle(again bool) tea.Cmd {
	had, cmd := m.clearLine()
	switch {
	case had:
		m.arm("take back", "", clearedWords)
	case m.options.RewindPoints == nil || m.runs.Latest(m.runs.Root()).ID == "": // nothing to take back
	case again:
		return tea.Batch(cmd, m.openPoints(""))
	default:
		m.arm("take back", "", "esc again lists where the session can be taken back to")
	}
	return cmd
}

func joinWords(a, b sanitize.Text) sanitize.Text {
	if b == "" {
		return a
	}
	return a + " · " + b
}

// interruptComposer stops the parent with all that it waits for. When it is idle, what is
// typed is cleared first; on an empty line, and where runs go on in the background, the
// second press quits, and asks first where something would be lost.
func (m *model) interruptComposer() tea.Cmd {
	if m.pressed("quit", "") { // also where the parent has been woken up meanwhile
		return m.quitTyped("")
	}
	if m.runs.Alive(m.runs.Root()) || m.hasForeground() || m.isSending(m.runs.Root()) {
		return m.stop(m.runs.Root())
	}
	if m.editing() {
		return m.dropEdit()
	}
	had, cmd := m.clearLine()
	if n := m.runs.Working(); n > 0 {
		hint := draw.Sprintf("ctrl+c again quits %s it asks first about %s", draw.Dot, words.Count(n, "run"))
		if had {
			hint = joinWords(clearedWords, hint)
		}
		m.arm("quit", "", hint)
		return cmd
	}
	if had {
		m.say(draw.Quiet, clearedWords)
		return cmd
	}
	m.arm("quit", "", "ctrl+c again quits")
	return cmd
}

func (m *model) quit() tea.Cmd {
	return m.end(Ending{Cause: lifecycle.CauseQuit})
}

// strays reports whether Esc or Ctrl+C, pressed now, can hardly be meant for the question in front,
// because it has just come there, and what was in front before is not about the run that asks. They
// would deny a call, or end a run, by accident.
func (m *model) strays() bool {
	q, _, any := m.front()
	if !any || m.quiet(m.clock.Read()) && !m.unseen() {
		return false
	}
	switch m.beneath() {
	case atView, atCard:
		return q.Session != m.target()
	case atComposer:
		awaits := func(run lifecycle.Run) bool { return run.Session == q.Session }
		return q.Session != m.runs.Root() && !slices.ContainsFunc(m.runs.Awaited(m.runs.Root()), awaits)
	default:
		return true
	}
}

// answersOn reports whether the last key answered a question: what is pressed right behind it is
// for no other thing than the next.
func (m *model) answersOn() bool {
	at := m.asking.answeredAt
	return !at.IsZero() && !m.keyedAt.After(at) && m.clock.Read().Sub(at) < settled
}

// pauseFirst answers who goes on answering before they can have read what they are asked next.
func (m *model) pauseFirst() tea.Cmd {
	m.keyedAt = m.clock.Read()
	m.asking.answeredAt = m.keyedAt
	m.say(draw.Quiet, "pause before you answer the next question")
	return nil
}

// stopAndQuit is quit by somebody who was asked about what goes on.
func (m *model) stopAndQuit() tea.Cmd {
	return m.end(Ending{Stop: true, Cause: lifecycle.CauseQuit})
}

// escSubagent arms on what lives, and leaves what has ended.
func (m *model) escSubagent() tea.Cmd {
	session := m.target()
	if !m.runs.Alive(session) {
		return m.back()
	}
	if m.wasArmed.action == stopByX {
		return nil
	}
	if m.pressed("stop", session) {
		return m.stop(session)
	}
	hint := sanitize.Text("Esc again stops it")
	if m.card != "" || m.lineEmpty() { // else ← is the text's
		hint += " · ← back"
	}
	m.arm("stop", session, hint)
	return nil
}

// stopByX is no action of Esc: who thinks better of it presses that.
const stopByX = "stop by x"

// stopCard stops the run of a card at the second press.
func (m *model) stopCard() tea.Cmd {
	session := m.target()
	if m.pressed(stopByX, session) {
		return m.stop(session)
	}
	m.arm(stopByX, session, "x again stops it")
	return nil
}

// interruptSubagent stops what lives at once, and leaves what has ended.
func (m *model) interruptSubagent() tea.Cmd {
	session := m.target()
	if !m.runs.Alive(session) {
		return m.back()
	}
	return m.stop(session)
}

// askStopAll names all runs and asks.
func (m *model) askStopAll() tea.Cmd {
	live := m.runs.Live()
	switch {
	case len(live) > 0:
	case m.isSending(m.runs.Root()):
		return m.stop(m.runs.Root())
	default:
		m.say(draw.Quiet, "nothing is running")
		return nil
	}
	d := &dialog{
		Title: draw.Sprintf("Stop %s?", words.Count(len(live), "run")),
		Choices: []choice{
			{Key: "x", Label: "stop all of them", Do: func(m *model) tea.Cmd {
				return m.do(lifecycle.StopAll{Root: m.runs.Root(), Cause: lifecycle.CauseKey})
			}},
			{Key: "esc", Label: "cancel", Do: nil},
		},
		At:   1,
		Over: nothingRuns,
	}
	m.listRuns(d, live)
	m.dialog = d
	return nil
}

// nothingRuns ends a dialog about what is to become of the runs.
func nothingRuns(m *model) sanitize.Text {
	if len(m.runs.Live()) > 0 || m.waking {
		return ""
	}
	return "nothing is running any more"
}

// quitDialog asks what is to become of the runs when the user goes.
func (m *model) quitDialog() *dialog {
	live := m.runs.Live()
	d := &dialog{
		Title: draw.Sprintf("Quit while %s?", words.CountOf(len(live), "run goes on", "runs go on")),
		Choices: []choice{
			{Key: "x", Label: "stop them and quit", Do: (*model).stopAndQuit},
			{Key: "w", Label: "wait for them, then quit", Do: (*model).leave},
			{Key: "l", Label: "leave them running", Do: (*model).detach},
			{Key: "esc", Label: "cancel", Do: nil},
		},
		At:   3,
		Over: nothingRuns,
	}
	if len(live) == 0 { // it is to hear of what has ended, in a moment
		d.Title = "Quit before the main agent is told what has ended?"
		d.Choices[0].Label, d.Choices[1].Label, d.Choices[2].Label = "quit now", "wait until it is done, then quit", "leave it to run"
		d.Choices[0].Do = (*model).quit // another screen's wake-up is not its to cancel
	}
	m.listRuns(d, live)
	return d
}

// leave quits when the last run ends.
func (m *model) leave() tea.Cmd {
	m.leaving = true
	m.say(draw.Quiet, "")
	if m.runs.Working() == 0 && !m.waking {
		return m.end(Ending{Wait: true, Cause: lifecycle.CauseQuit})
	}
	return nil
}
