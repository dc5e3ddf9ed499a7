package fleet

import (
	"context"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/notice"
	"pawl/ui/terminal"
)

// model is the screen: the only tea.Model of this package.
type model struct {
	ctx     context.Context
	options Options
	keys    []group
	now     func() time.Time

	term     terminal.Features
	looks    terminal.Looks
	theme    draw.Theme
	glyphs   draw.Glyphs
	markdown *draw.Prose

	width, height int

	board   board
	arrived bool // the first picture has come
	trouble []string
	broken  string // why the list can no longer be followed
	day     struct{ cost, limit float64 }
	workers []Worker

	pane    bool // the selected session is shown, where both have room
	covered bool // it is shown over the list, where they have not
	look    look // its conversation
	asking  asking

	input    *input // the line that takes what is typed; nil for none
	written  map[lifecycle.SessionID]*composer.Composer
	letter   heldLetter
	holds    int
	keyedAt  time.Time // of the last key that was no answer
	pressed  time.Time // of the key that acts now, where it was held
	armed    arming
	notice   notice.Notice
	help     *draw.Body // covers the list: the keys or, where machines is set, the workers
	machines bool
	due      time.Time // of the timer that runs; zero for none
	picture  picture
	ending   Ending
	out      *terminal.Output // nil where there is no terminal
	follows  atomic.Bool      // another screen follows on this terminal
	crash    terminal.Crash
	stopping map[lifecycle.SessionID]bool // that were asked to stop
	underWay underWay
}

func newModel(ctx context.Context, options Options, term terminal.Features, now func() time.Time) *model {
	m := &model{
		ctx: ctx, options: options, keys: keyTable(), now: now, term: term,
		looks: terminal.FirstLooks(options.Theme, term),
		// A sign that turns would redraw the screen all the time for nothing that is to be seen.
		glyphs: draw.NewGlyphs(term.ASCII).Steady(term.ASCII),
		width:  options.Width, height: options.Height,
		board: board{selected: options.Select, chosen: options.Select != ""}, pane: true,
		written:  map[lifecycle.SessionID]*composer.Composer{},
		stopping: map[lifecycle.SessionID]bool{},
	}
	for session, text := range options.Drafts {
		m.lineTo(session).Set(text)
	}
	m.applyTheme()
	if options.Trouble != "" {
		m.say(draw.Failure, sanitize.Line(options.Trouble))
	}
	return m
}

// take takes a picture in.
func (m *model) take(p Picture) {
	before, had := m.board.current()
	m.board.take(p.Sessions, p.Partial)
	m.arrived = true
	m.trouble, m.day.cost, m.day.limit, m.workers = p.Trouble, p.DayCost, p.DayLimit, p.Workers
	if now, has := m.board.current(); had && has && now.ID == before.ID && !now.same(before) {
		m.look.stale = true
	}
	maps.DeleteFunc(m.stopping, func(id lifecycle.SessionID, _ bool) bool {
		s, there := m.board.get(id)
		return !there || !s.Hosted || s.Need != Works
	})
	m.changed()
}

// lineTo is the line to a session, with what was typed to it.
func (m *model) lineTo(session lifecycle.SessionID) *composer.Composer {
	c, ok := m.written[session]
	if !ok {
		c = &composer.Composer{Goal: -1}
		m.written[session] = c
	}
	return c
}

// drafts are the texts that were typed and not sent.
func (m *model) drafts() map[lifecycle.SessionID]string {
	m.underWay.mu.Lock()
	defer m.underWay.mu.Unlock()
	all := maps.Clone(m.underWay.texts)
	for session, c := range m.written {
		if !c.Empty() {
			if all == nil {
				all = map[lifecycle.SessionID]string{}
			}
			all[session] = strings.TrimSpace(all[session] + "\n" + c.Text)
		}
	}
	return all
}

func (m *model) say(tone draw.Tone, text sanitize.Text) {
	m.notice = notice.Notice{Text: text, Tone: tone}
	m.changed()
}

// unsay takes the answer to the last key away.
func (m *model) unsay() { m.notice = notice.Notice{} }

// changed makes the next View draw a new picture.
func (m *model) changed() { m.picture.ready = false }

// applyTheme makes the looks anew, and with them the whole picture.
func (m *model) applyTheme() {
	m.theme = draw.NewTheme(m.looks.Tint())
	m.markdown = draw.NewProse(m.theme, m.term.ASCII)
	m.changed()
}

// canvas is what the whole screen is drawn on.
func (m *model) canvas() draw.Canvas {
	return draw.Canvas{
		Theme: m.theme, Glyphs: m.glyphs, Markdown: m.markdown,
		Width: max(1, m.width), Now: m.now(), Links: m.term.Links, Borders: m.height >= draw.BorderedFrom,
	}
}
