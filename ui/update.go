package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/completion"
	"pawl/ui/composer"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/replay"
	"pawl/ui/terminal"
	"pawl/ui/wording"
)

// Init asks the terminal whether it is dark, and reads what the first screen
// still needs.
func (m *model) Init() tea.Cmd {
	back := m.takeReturned(m.options.Returned)
	m.sayHello(m.options.Commands.Hello)
	return crashed.Safely(tea.Batch(terminal.AskLooks(), m.fill(), back, m.sayFirst(), m.startClock(), m.askProtection(), m.findHello(), m.readGrants()))
}

// missingProtection is what Options.Unprotected has found.
type missingProtection string

// healthWarning is the newest word of Options.Health.
type healthWarning string

func (m *model) askProtection() tea.Cmd {
	ask := m.options.Unprotected
	if ask == nil {
		return nil
	}
	return func() tea.Msg { return missingProtection(ask()) }
}

// Update takes one message in. It touches nothing outside the model: what has to
// be done is a command. Each message has the next View draw anew, except one that changes nothing on it.
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer crashed.InUpdate(&m.crash, &cmd)
	if m.crash.Happened() { // View could not quit
		return m, tea.Quit
	}
	cmd, same := m.take(msg)
	if !same {
		m.picture.ready = false
	}
	return m, m.after(cmd)
}

// take takes one message in, and reports whether the picture stays the same.
func (m *model) take(msg tea.Msg) (cmd tea.Cmd, same bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case tea.PasteMsg:
		cmd = m.paste(msg.Content)
	case tea.MouseWheelMsg:
		cmd = m.wheel(msg)
	case tea.MouseClickMsg:
		cmd = m.click(msg)
	case tea.WindowSizeMsg:
		cmd = m.resize(msg)
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		cmd = m.learn(msg)
	case tea.FocusMsg, tea.BlurMsg, lullOver:
		m.focusChanged(msg)
	case newsCame:
		cmd = m.takeNews()
	case resumed:
		cmd = m.resumed(msg)
	case lifecycle.Updates:
		cmd = m.takeUpdates(msg)
	case replay.Frame:
		cmd = m.played(msg)
	case terminal.Tick:
		cmd = m.tick(time.Time(msg))
	case replied, commentsSent:
		cmd = m.commandDone(msg)
	case older:
		cmd = m.older(msg)
	case exportStep, exported:
		cmd = m.learnOfExport(msg)
	case draftDue:
		cmd, same = m.saveDraft(), true
	case heldDue:
		cmd = m.heldDue(msg)
	case terminal.Crash:
		m.crash = msg
		cmd = tea.Quit
	case missingProtection, healthWarning, terminal.WatchEnded:
		same = !m.setHealth(msg)
	case Hello:
		m.sayHello(msg)
	case completion.Found, completion.Narrowed:
		cmd = m.learnOfFiles(msg)
	case dropped, clipped:
		cmd = m.pictureCame(msg)
	case loaded:
		cmd = m.loaded(msg)
	case rewritten:
		cmd = m.rewritten(msg)
	case historyRead:
		cmd, same = m.historyRead(msg)
	case decided:
		m.decided(msg)
	case Opened:
		cmd = m.reopen(msg)
	default:
		same = true
	}
	return cmd, same
}

// after is what follows each message, with what that asks for.
func (m *model) after(cmd tea.Cmd) tea.Cmd {
	m.noteFront()
	return crashed.Safely(tea.Batch(cmd, m.startClock(), m.sendNotification()))
}

// setHealth takes in what is wrong outside the screen, and reports whether that is new.
func (m *model) setHealth(msg tea.Msg) bool {
	before := [...]string{m.unprotected, m.healthWarning, m.broken}
	switch msg := msg.(type) {
	case missingProtection:
		m.unprotected = string(msg)
	case healthWarning:
		m.healthWarning = string(msg)
	case terminal.WatchEnded:
		m.broken = msg.Err.Error()
	}
	return before != [...]string{m.unprotected, m.healthWarning, m.broken}
}

// startClock starts the clock if something moves.
func (m *model) startClock() tea.Cmd {
	if m.clock.Running || !m.moving() {
		return nil
	}
	return m.clock.Start()
}

// tick moves what moves; the clock stops when nothing does.
func (m *model) tick(at time.Time) tea.Cmd {
	m.clock.Frame++
	if m.card == dock.Ends && dock.At(m.docked(), m.card) < 0 {
		m.card = "" // they went by the clock
	}
	if m.armed.action != "" && !at.Before(m.armed.until) && m.letterHeld.text == "" {
		m.armed = arming{}
		m.unsay()
	}
	if !m.moving() {
		m.clock.Running = false
		return nil
	}
	return m.clock.Next()
}

// press is one key. What is held acts before a key that is no letter, but for the one
// that takes a letter back.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	m.signals.seen()
	key := k.String()
	if composer.Typeable(k.Text) && !m.recorded() {
		return m.letter(key, k.Text)
	}
	if held := m.letterHeld; held.text != "" && key == "backspace" {
		m.letterHeld = heldLetter{}
		return tea.Batch(m.writeText(held.acted+held.text), m.key(key, k.Text))
	}
	return tea.Batch(m.releaseLetter(), m.key(key, k.Text))
}

// key is one key that no letter has to wait for: looked up in the table, else typed.
func (m *model) key(key, text string) tea.Cmd {
	at := m.placeOf(key)
	if at&(answering|atReason) == 0 { // what is typed there counts where it is
		m.keyedAt = m.clock.Read()
	}
	if at == atCompletion && m.find(key, at) == nil {
		at = m.composing()
	}
	if m.armed.action == "" && at&covering == 0 {
		m.unsay()
	}
	if b := m.find(key, at); b != nil {
		return m.act(b)
	}
	m.disarm()
	switch {
	case m.recorded() && at&(fields|covering) == 0:
		return m.onlyRead()
	case composer.Typeable(text) && at&fields != 0: // of a recording
		return m.write(at, text)
	}
	return nil
}

// write puts what is typed or pasted into the line in front, where that is no
// composer.
func (m *model) write(at place, text string) tea.Cmd {
	switch at {
	case atPicker:
		return m.seek(m.picker.Words + text)
	case atReason:
		return m.editReason(func(c *composer.Composer) { c.Insert(text) })
	case atRecall:
		m.recalling.Look(func(c *composer.Composer) { c.Insert(text) })
	case atSearch:
		return m.typeSearch(text)
	case atComment:
		return m.editComment(func(c *composer.Composer) { c.Insert(text) })
	case atFilter:
		return m.filter(m.dashboard.Filter + text)
	default: // the others take no text
	}
	return nil
}

// paste is text wherever it comes: it never acts.
func (m *model) paste(text string) tea.Cmd {
	if m.recorded() && m.at()&fields == 0 {
		m.disarm()
		return m.onlyRead()
	}
	var before tea.Cmd
	if held := m.letterHeld; held.text != "" {
		m.letterHeld = heldLetter{}
		before = m.writeText(held.acted + held.text)
	}
	at, turned := m.toText()
	switch {
	case at&(atReason|atComment) != 0: // which take several lines
		return tea.Batch(before, m.write(at, text))
	case at&fields != 0:
		return tea.Batch(before, m.write(at, string(sanitize.Line(words.Line(text)))))
	}
	m.line().Paste(text)
	m.notePastedNames(text)
	return tea.Batch(before, turned, m.edited(), m.drop(text))
}

// resize takes in how large the screen is now. One that is too narrow for two sessions shows
// the one with the focus.
func (m *model) resize(size tea.WindowSizeMsg) tea.Cmd {
	turned := m.turn(func() { m.width, m.height = size.Width, size.Height })
	return tea.Batch(turned, m.fill())
}

// takeUpdates folds what the watch gave. The conversation of each session begins with the
// first record that comes of it; older ones are read when somebody opens it.
func (m *model) takeUpdates(u lifecycle.Updates) tea.Cmd {
	returned := map[lifecycle.SessionID][]string{}
	for _, rec := range u.Records {
		before := m.runs.Inbox(rec.Session)
		if err := m.runs.Apply(rec); err != nil {
			m.broken = "the session log is inconsistent: " + err.Error()
		}
		m.talk(rec.Session).Fold(rec)
		m.tellParent(rec)
		m.signalRecord(rec)
		m.dock.Free = m.dock.Free || rec.Session == m.open
		if text, back := m.fromQueue(rec, before); back && !m.recorded() {
			returned[rec.Session] = append(returned[rec.Session], text)
		}
	}
	for _, p := range u.Progress {
		if m.runs.Report(p) {
			m.talk(p.Session).Progress(p, m.clock.Read())
			if run := m.runs.Run(p.Run); run.UserShell() {
				m.talk(run.Parent).Progress(p, m.clock.Read())
			}
		}
	}
	for _, run := range u.Unsaved {
		m.runs.Lose(run)
		m.boardStamp++
		m.say(draw.Failure, draw.Sprintf("%q is not saved: the next start will show it as interrupted", wording.Name(run)))
	}
	cmd := tea.Batch(m.giveBack(returned), m.noteEnds(), m.follow(u.Records), m.followChanges(u.Records), m.regrant(u.Records))
	m.fault, m.waking, m.allStopped = u.Fault, u.Waking, u.AllStopped
	m.front() // a question stands there from now on, looked at or not
	m.closeOver()
	if n := m.notice.Background; n > 0 && n != m.runs.Background() {
		m.unsay()
	}
	if m.leaving && m.runs.Working() == 0 && !m.waking {
		return m.end(Ending{Wait: true, Cause: lifecycle.CauseQuit})
	}
	return cmd
}

// tellParent gives a parent's conversation what a record of its subagent says to
// it, and all records of a command that the user ran there.
func (m *model) tellParent(rec lifecycle.Record) {
	run := m.runs.Run(rec.Run)
	if _, told := rec.Event.(lifecycle.NotificationDelivered); told || run.UserShell() {
		m.talk(run.Parent).Fold(rec)
	}
}
