package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Session is a root session as a list shows it.
type Session struct {
	ID        lifecycle.SessionID
	Title     string
	Folder    string // as people write it
	Updated   time.Time
	State     lifecycle.State // of its newest run
	Subagents int
	Cost      float64 // US dollars; 0 where none is known
	Unread    int     // results that it is owed
	Used      string  // who drives it now, in words; empty: nobody, or this screen
}

// Next is where the user goes from here.
type Next struct {
	Session lifecycle.SessionID // empty: a new session
	Fleet   bool                // to the screen over all sessions instead
	// Forked says that it was just forked from this one, and Draft what is to stand in its line.
	Forked bool
	Draft  string
	// Trust is what the user has just said yes to: nobody has told it so yet. This
	// same session is to be opened again, with it. Nil: none.
	Trust *TrustPrompt
}

// Forked is where a session that was forked from another one has its beginning from.
type Forked struct {
	Session lifecycle.SessionID
	Prompt  string    // before which it was forked; empty: it has all there was
	At      time.Time // zero: not known
}

// says describes where a session was forked from.
func (f Forked) says() sanitize.Text {
	if f.Prompt == "" {
		return draw.Sprintf("forked from session %s", f.Session)
	}
	return draw.Sprintf("forked from session %s, before %q", f.Session, words.Cut(f.Prompt, shownPrompt))
}

// shownPrompt is how many runes of a prompt stand in a line.
const shownPrompt = 60

// cut reports that a run was at work when its session was forked from the original, in which it went
// on.
func (f *Forked) cut(run lifecycle.Run) bool {
	return f != nil && run.State == lifecycle.StateInterrupted && run.SpawnedAt.Before(f.At) && !run.EndedAt.Before(f.At)
}

// had reports that the original began a run, and so has its worktree.
func (f *Forked) had(run lifecycle.Run) bool { return f != nil && run.SpawnedAt.Before(f.At) }

// toLand reports that a run has left changes in a worktree that can be landed from here.
func (m *model) toLand(run lifecycle.Run) bool { return run.ToLand() && !m.options.Forked.had(run) }

// Prompt is what a person wrote to a root session.
type Prompt struct {
	Seq  lifecycle.Seq // of its record
	Time time.Time
	Text string
}

// sessionsTyped lists the sessions of this folder.
func (m *model) sessionsTyped(words string) tea.Cmd {
	if m.options.Commands.Sessions == nil {
		return m.unavailable("list")
	}
	p := &picker{Words: words, Empty: "reading"}
	return tea.Batch(m.offer(p), m.listSessions(p, false))
}

// listSessions reads the sessions for a list, those of one folder or of all.
func (m *model) listSessions(p *picker, everywhere bool) tea.Cmd {
	p.Title, p.Turns = "Sessions here", "tab all folders"
	if everywhere {
		p.Title, p.Turns = "Sessions", "tab this folder"
	}
	p.Turn = func(m *model) tea.Cmd { return m.listSessions(p, !everywhere) }
	ctx, read := m.ctx, m.options.Commands.Sessions
	return func() tea.Msg {
		found, err := read(ctx, everywhere)
		return loaded{p, func(m *model) tea.Cmd {
			if err != nil {
				p.Aside = sanitize.Line(err.Error())
				return nil
			}
			p.Empty = "no sessions yet: send a message to start one"
			p.Fill(m.sessionRows(p, found, everywhere))
			return m.looked()
		}}
	}
}

func (m *model) sessionRows(p *picker, found []Session, everywhere bool) []entry {
	now := m.clock.Read()
	var rows []entry
	for _, s := range found {
		row := entry{
			Name: sanitize.Line(s.Title), Sought: sanitize.Line(s.Folder), On: s.ID == m.runs.Root(),
			Do: func(m *model) tea.Cmd { return m.goTo(Next{Session: s.ID}) },
		}
		var marks []string
		if s.Unread > 0 {
			marks = append(marks, string(draw.Sprintf("%d not delivered", s.Unread)))
			row.Sign, row.Tone = m.glyphs.Told, draw.Caution
		}
		if s.Used != "" {
			marks = append(marks, s.Used)
		}
		subagents := sanitize.Text("")
		if s.Subagents > 0 {
			subagents = sanitize.Line(words.Count(s.Subagents, "subagent"))
		}
		row.More = []sanitize.Text{
			sanitize.Line(words.Ago(now.Sub(s.Updated))), sanitize.Line(strings.Join(marks, ", ")), m.glyphs.State(s.State, 0) + " " + wording.State(s.State), subagents, draw.Dollars(s.Cost),
		}
		if everywhere {
			row.More = append([]sanitize.Text{row.More[0], sanitize.Line(s.Folder)}, row.More[1:]...)
		}
		row.Last = true
		rows = append(rows, row)
	}
	for i, s := range found {
		rows[i].Peek = m.peekSession(p, &rows[i], s.ID)
	}
	return rows
}

// peekSession reads the newest messages of a session.
func (m *model) peekSession(p *picker, row *entry, session lifecycle.SessionID) tea.Cmd {
	ctx, read := m.ctx, m.options.Commands.Peek
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		records, err := read(ctx, session)
		return loaded{p, func(m *model) tea.Cmd {
			row.Preview = lastWords(records, m.glyphs.Prompt)
			if err != nil {
				row.Preview = []sanitize.Text{sanitize.Line(err.Error())}
			}
			return nil
		}}
	}
}

// lastWords are what the user, behind a sign, and the model said in some records,
// oldest first.
func lastWords(records []lifecycle.Record, sign sanitize.Text) []sanitize.Text {
	var words []sanitize.Text
	var answer strings.Builder
	add := func(sign sanitize.Text, text string) {
		if text = strings.TrimSpace(text); text != "" {
			words = append(words, sign+sanitize.Clean(text))
		}
	}
	asked := func(from, text string) {
		if from == lifecycle.FromUser {
			add(sign+" ", text)
		}
	}
	for _, rec := range records {
		text, isText := rec.Event.(lifecycle.Text)
		if isText {
			answer.WriteString(text.Text)
			continue
		}
		add("", answer.String())
		answer.Reset()
		switch e := rec.Event.(type) {
		case lifecycle.Spawned:
			asked(e.From, e.Prompt)
		case lifecycle.MessageTaken:
			asked(e.From, e.Text)
		default:
			// The rest is not what was said.
		}
	}
	add("", answer.String())
	return words
}

// clearTyped begins a new session. This one stays.
func (m *model) clearTyped(string) tea.Cmd {
	if m.options.Commands.Sessions == nil {
		return m.unavailable("begin another session with")
	}
	if m.runs.Latest(m.runs.Root()).ID == "" {
		m.say(draw.Quiet, "this session is still empty")
		return nil
	}
	return m.switchSession(Next{})
}

// forkTyped begins a session from a prompt of this one: that of a record, or one that is chosen.
func (m *model) forkTyped(typed string) tea.Cmd {
	if m.options.Commands.Fork == nil || m.options.Commands.Prompts == nil {
		return m.unavailable("fork")
	}
	if m.runs.Latest(m.runs.Root()).ID == "" {
		m.say(draw.Quiet, "this session is still empty")
		return nil
	}
	number, wrong := strconv.Atoi(typed)
	line := retype{m.open, "/fork " + typed}
	p := &picker{Title: "Go on in a new session, from", Words: typed, Empty: "reading"}
	var offered tea.Cmd
	if wrong != nil {
		offered = m.offer(p)
	} else {
		p = nil
	}
	ctx, read := m.ctx, m.options.Commands.Prompts
	return tea.Batch(offered, func() tea.Msg {
		prompts, err := read(ctx)
		return loaded{p, func(m *model) tea.Cmd {
			at := slices.IndexFunc(prompts, func(p Prompt) bool { return int(p.Seq) == number })
			switch {
			case err != nil && p == nil:
				return m.failedTyped(line, err)
			case err != nil:
				m.say(draw.Failure, sanitize.Line(err.Error()))
				return nil
			case p != nil:
				p.Fill(m.forkRows(prompts))
				return m.looked()
			case at < 0:
				return m.failedTyped(line, fmt.Errorf("record %d is no prompt: /fork lists them", number))
			}
			return m.fork(&prompts[at])
		}}
	})
}

// forkBlock begins a session from before the prompt that is read.
func (m *model) forkBlock() tea.Cmd {
	talk, i := m.focused()
	if m.options.Commands.Fork == nil || m.options.Commands.Prompts == nil || i < 0 || m.open != m.runs.Root() {
		return m.unavailable("fork: choose a prompt of the main agent")
	}
	ctx, read, seq := m.ctx, m.options.Commands.Prompts, talk.Blocks[i].Seq
	return func() tea.Msg {
		prompts, err := read(ctx)
		return loaded{nil, func(m *model) tea.Cmd {
			at := slices.IndexFunc(prompts, func(p Prompt) bool { return p.Seq == seq })
			switch {
			case err != nil:
				m.say(draw.Failure, sanitize.Line(err.Error()))
				return nil
			case at < 0:
				m.say(draw.Quiet, "a session is forked from before a prompt of yours")
				return nil
			}
			return m.fork(&prompts[at])
		}}
	}
}

// forkRows are where a fork can begin: here, and before each prompt, the newest first.
func (m *model) forkRows(prompts []Prompt) []entry {
	rows := []entry{{
		Name: "here", More: []sanitize.Text{"", "with all there is now"},
		Do: func(m *model) tea.Cmd { return m.fork(nil) },
	}}
	now := m.clock.Read()
	for _, prompt := range slices.Backward(prompts) {
		rows = append(rows, entry{
			Name:    draw.Sprintf("before: %s", words.FirstLine(prompt.Text)),
			Sought:  sanitize.Line(prompt.Text),
			More:    []sanitize.Text{draw.Sprintf("record %d", prompt.Seq), sanitize.Line(words.Ago(now.Sub(prompt.Time)))},
			Preview: []sanitize.Text{m.glyphs.Prompt + " " + sanitize.Clean(prompt.Text)},
			Do:      func(m *model) tea.Cmd { return m.fork(&prompt) },
		})
	}
	return rows
}

// fork begins a session from here or from before a prompt, and goes on in it: with the prompt in the
// line. This one stays as it is, and goes on with whatever works in it.
func (m *model) fork(before *Prompt) tea.Cmd {
	if before != nil && before.Seq <= 1 {
		m.say(draw.Quiet, "there is nothing before the first prompt: /new starts a session")
		return nil
	}
	if len(m.sending) > 0 {
		m.say(draw.Quiet, "a message is being sent: try again in a moment")
		return nil
	}
	ctx, fork := m.ctx, m.options.Commands.Fork
	m.say(draw.Quiet, "forking")
	return func() tea.Msg {
		session, err := fork(ctx, before)
		return loaded{nil, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, sanitize.Line(err.Error()))
				return nil
			}
			next := Next{Session: session, Forked: true}
			if before != nil {
				next.Draft = before.Text
			}
			return m.switchSession(next)
		}}
	}
}

// fleetTyped leads to the screen over all sessions. This one goes on.
func (m *model) fleetTyped(string) tea.Cmd {
	return m.switchSession(Next{Fleet: true})
}

// goTo leaves for another session, if it can be opened: that is looked at first.
func (m *model) goTo(next Next) tea.Cmd {
	if next.Session == m.runs.Root() {
		m.say(draw.Quiet, "already open")
		return nil
	}
	look, ctx := m.options.Commands.Openable, m.ctx
	if look == nil {
		return m.switchSession(next)
	}
	return func() tea.Msg {
		err := look(ctx, next.Session)
		return loaded{nil, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, sanitize.Line(err.Error()))
				return nil
			}
			return m.switchSession(next)
		}}
	}
}

// switchSession leaves this session for another on the same terminal. This one goes on with
// whatever works in it.
func (m *model) switchSession(next Next) tea.Cmd {
	if len(m.sending) > 0 {
		m.say(draw.Quiet, "a message is being sent: try again in a moment")
		return nil
	}
	return m.end(Ending{Detach: true, Next: &next})
}
