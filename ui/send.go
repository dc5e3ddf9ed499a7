package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// replied is what became of a command.
type replied struct {
	command lifecycle.Command
	reply   lifecycle.Reply
	err     error
}

// do carries commands out one after another, outside of Update, up to the first
// that does not work; a stop is never left out. The reply is that of the last one, or of the first that
// did not work.
func (m *model) do(commands ...lifecycle.Command) tea.Cmd {
	if m.recorded() {
		return m.onlyRead()
	}
	m.underWay++
	ctx, route := m.ctx, m.options.Route
	return func() tea.Msg {
		var r replied
		for _, command := range commands {
			failed := r.err != nil && !r.answeredBefore()
			if _, stops := command.(lifecycle.Stop); failed && !stops {
				break
			}
			done := replied{command: command}
			if done.reply, done.err = route.Do(ctx, command); !failed {
				r = done
			}
		}
		return r
	}
}

// answeredBefore reports whether it was an answer to what was answered already, as on another
// screen in the same moment. The first answer stands.
func (r replied) answeredBefore() bool {
	_, answer := r.command.(lifecycle.Resolve)
	return answer && errors.Is(r.err, lifecycle.ErrUnknown)
}

// commandDone follows a command's end.
func (m *model) commandDone(msg tea.Msg) tea.Cmd {
	m.underWay--
	var said tea.Cmd
	switch msg := msg.(type) {
	case commentsSent:
		said = m.commentsSent(msg)
	case replied:
		said = m.sayDone(msg)
	}
	return tea.Batch(said, m.detachDone())
}

// sayDone says what a command did, or why it did not. The draft without what has arrived is saved at
// once: after a crash a moment later it would otherwise be in the line again.
func (m *model) sayDone(r replied) tea.Cmd {
	if sent, ok := r.command.(lifecycle.Send); ok {
		m.arrived(sent.Text)
		if r.reply.Message != "" {
			m.seat.Sent(r.reply.Message)
		}
		if r.err != nil {
			m.composerOf(sent.Session).Restore(sent.Text)
			m.say(draw.Failure, draw.Sprintf("not sent: %s", sanitize.Line(r.err.Error())))
		}
		return tea.Batch(m.edited(), m.saveDraft())
	}
	if shell, ok := r.command.(lifecycle.RunShell); ok {
		text := composer.ShellMark + shell.Command
		m.arrived(text)
		if r.err != nil {
			m.composerOf(shell.Session).Restore(text)
			m.say(draw.Failure, draw.Sprintf("not run: %s", sanitize.Line(r.err.Error())))
		}
		return tea.Batch(m.edited(), m.saveDraft())
	}
	if m.queueCommandDone(r) {
		return nil
	}
	if no, ok := r.command.(lifecycle.Resolve); ok && no.Answer.Reason != "" {
		return tea.Batch(m.reasonDone(no, r.err), m.sayOther(r))
	}
	return m.sayOther(r)
}

// sayOther says what a command did that carries nothing that was typed, or why it did not.
func (m *model) sayOther(r replied) tea.Cmd {
	if r.answeredBefore() {
		m.say(draw.Quiet, "it was answered already")
		return nil
	}
	if r.err != nil {
		if _, answer := r.command.(lifecycle.Resolve); answer {
			m.asking.Answered = ""
		}
		var back tea.Cmd
		if c, sums := r.command.(lifecycle.Compact); sums {
			back = m.giveLineBack(retype{c.Session, joinTyped("/compact", c.Instructions)})
		}
		m.say(draw.Failure, sanitize.Line(r.err.Error()))
		return back
	}
	switch r.command.(type) {
	case lifecycle.StopAll, lifecycle.Stop, lifecycle.StopForeground:
		if _, one := r.command.(lifecycle.Stop); one && len(r.reply.Runs) == 0 {
			return nil // it stopped a message, whose line says so
		}
		m.say(draw.Quiet, stopWords(r.reply.Runs))
	case lifecycle.Detach, lifecycle.DetachForeground:
		if r.reply.Refused != "" {
			m.say(draw.Failure, draw.Sprintf("in the background now: %s, but not all: %s", names(r.reply.Runs), sanitize.Line(r.reply.Refused)))
			return nil
		}
		m.say(draw.Quiet, draw.Sprintf("in the background now: %s", names(r.reply.Runs)))
	case lifecycle.Compact:
		if r.reply.Later {
			m.say(draw.Quiet, "the conversation will be summarized when this run ends")
		}
	case lifecycle.Grant:
		m.say(draw.Quiet, approval.Granted(r.reply))
		return m.readGrants()
	case lifecycle.Resolve:
		return m.readGrants()
	default:
		// The records that follow say it.
	}
	return nil
}

// stopWords name what a stop reached.
func stopWords(runs []lifecycle.Run) sanitize.Text {
	var stopped, ended []lifecycle.Run
	for _, run := range runs {
		if run.State.Terminal() && run.State != lifecycle.StateCanceledByUser {
			ended = append(ended, run)
		} else {
			stopped = append(stopped, run)
		}
	}
	switch {
	case len(stopped) == 1 && !stopped[0].Child():
		return "stopped"
	case len(stopped) > 0:
		return draw.Sprintf("stopped: %s", names(stopped))
	case len(ended) > 0:
		return draw.Sprintf("%s had ended already: %s", names(ended), wording.Standing(ended[0]))
	}
	return "nothing was running"
}

// names lists runs by name, the first few of them.
func names(runs []lifecycle.Run) sanitize.Text {
	const most = 4
	var list []string
	for i, run := range runs {
		if i == most {
			list = append(list, string(draw.Sprintf("%d more", len(runs)-most)))
			break
		}
		list = append(list, string(wording.Name(run)))
	}
	return sanitize.Text(strings.Join(list, ", "))
}

// send gives the line to the session that is shown.
func (m *model) send() tea.Cmd {
	line := m.line()
	text := strings.TrimSpace(line.Text)
	if text == "" {
		return nil
	}
	if line.Shell() {
		return m.runShell()
	}
	if name, rest, ok := splitCommand(line.Text); ok {
		return m.command(name, rest)
	}
	if name, _, ok := splitCommand(text); ok && m.isOther(name) {
		text = " " + text // which sends it as it is
	}
	return m.sendText(text)
}

// sendText sends a text in the place of the line.
func (m *model) sendText(text string) tea.Cmd {
	if m.unready() {
		return nil
	}
	for _, paste := range m.line().Pastes() {
		m.runs.Pasted(paste)
	}
	m.line().Set("")
	return m.sendAside(text)
}

// unready reports whether the session that is shown has no model to send to, and says so.
func (m *model) unready() bool {
	if m.options.Unready == "" || m.open != m.runs.Root() { // a subagent may have another model
		return false
	}
	m.say(draw.Failure, "not sent; your text is still here")
	return true
}

// sendAside sends a text that is not the line's, which stays: a command of the palette.
func (m *model) sendAside(text string) tea.Cmd {
	if m.unready() {
		return nil
	}
	m.sent(text)
	m.onItsWay(m.open, text)
	if m.open != m.runs.Root() {
		m.writtenTo[m.open] = true
	}
	return m.remembering(text, m.do(lifecycle.Send{Session: m.open, Text: text, Reach: m.reach(text)}))
}

// isSending reports whether a text of a session is on its way: a stop reaches it before there is a run.
func (m *model) isSending(session lifecycle.SessionID) bool {
	return slices.ContainsFunc(m.sending, func(one retype) bool { return one.session == session })
}

// onItsWay notes a text that has left its line. It counts as a draft there until it has arrived.
func (m *model) onItsWay(session lifecycle.SessionID, text string) {
	m.sending = append(m.sending, retype{session, text})
}

// arrived notes that it is known what became of a text that was on its way: of two that are equal, of either.
func (m *model) arrived(text string) {
	if i := slices.IndexFunc(m.sending, func(one retype) bool { return one.line == text }); i >= 0 {
		m.sending = slices.Delete(m.sending, i, i+1)
	}
}

// sent keeps a text that is on its way in the history.
func (m *model) sent(text string) {
	for _, c := range m.composers {
		c.Remember(text)
	}
	m.options.History = append(m.options.History, text)
	m.leaving = false
	m.view().Held = false
}

// remembering keeps a text for later sessions too, before it is sent.
func (m *model) remembering(text string, send tea.Cmd) tea.Cmd {
	remember := m.options.Remember
	return func() tea.Msg {
		if remember != nil {
			remember(text)
		}
		return send()
	}
}

// runShell runs the line as a command of the user's own, where the session works that is shown.
func (m *model) runShell() tea.Cmd {
	text := strings.TrimSpace(m.line().Text)
	command := strings.TrimSpace(strings.TrimPrefix(text, composer.ShellMark))
	running := m.runs.UserShell(m.open)
	switch {
	case command == "":
		m.say(draw.Quiet, "write a command behind ! · esc makes it a message")
		return nil
	case sanitize.Clean(command).String() != command:
		m.say(draw.Failure, "not run: it holds characters that are not shown here")
		return nil
	case running.ID != "":
		m.say(draw.Failure, draw.Sprintf("not run: %q still runs here · esc stops it", wording.Name(running)))
		return nil
	}
	m.line().Set("")
	m.sent(text)
	m.onItsWay(m.open, composer.ShellMark+command)
	return m.remembering(text, m.do(lifecycle.RunShell{Session: m.open, Command: command}))
}

// canContinue reports whether Enter on the empty line takes up the last run: it was
// interrupted, or the model's server failed it.
func (m *model) canContinue() bool {
	return strings.TrimSpace(m.line().Text) == "" && m.runs.Latest(m.open).Resumable() && !m.takesNoMessages()
}

func (m *model) resume(session lifecycle.SessionID) tea.Cmd {
	if m.runs.Latest(session).Shell() {
		m.say(draw.Quiet, "a command cannot be continued; its agent can start it again")
		return nil
	}
	if !m.runs.Latest(session).Resumable() {
		m.say(draw.Quiet, "only a run that was interrupted, or failed at the model server, can be continued")
		return nil
	}
	return m.do(lifecycle.Continue{Session: session})
}

func (m *model) hasForeground() bool { return len(m.runs.Awaited(m.runs.Root())) > 0 }

func (m *model) detachForeground() tea.Cmd {
	return m.do(lifecycle.DetachForeground{Session: m.runs.Root()})
}

func (m *model) detachCard() tea.Cmd {
	if !detachable(m.runs.Latest(m.target())) {
		m.say(draw.Quiet, "nothing waits for it: it is in the background or has ended")
		return nil
	}
	return m.do(lifecycle.Detach{Session: m.target()})
}

// waitOn takes the mark off an overdue card: the run goes on in any case.
func (m *model) waitOn() tea.Cmd {
	run := m.runs.Latest(m.target())
	if run.OverdueAt.IsZero() || run.State.Terminal() {
		m.say(draw.Quiet, "it is not overdue")
		return nil
	}
	m.keepWaiting[run.ID] = true
	m.boardStamp++
	m.say(draw.Quiet, "it keeps running; you and the main agent are told when it ends")
	return nil
}
