package html

import (
	"cmp"
	"slices"
	"time"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// The heights of the picture, in pixels. Its width is the reader's: places along
// the axis are parts of a hundred, so that the picture is zoomed by its width and
// no letter is stretched.
const (
	laneHigh = 26
	axisHigh = 26
	barHigh  = 14
)

// picture draws the timeline: a lane a run, each thing on it a link to its place in
// the transcripts, with its words as its title. The names of the lanes stand beside
// it, so that they stay when it is moved.
func (w *writer) picture() {
	if len(w.line.lanes) == 0 {
		return
	}
	w.put("<section class=\"timeline\">\n<h2 id=\"timeline\">Timeline</h2>\n")
	w.put("<div class=\"tools\" hidden><button type=\"button\" id=\"closer\" aria-label=\"Zoom in\">+</button><button type=\"button\" id=\"wider\" aria-label=\"Zoom out\">−</button><button type=\"button\" id=\"whole\">Whole</button>" +
		"<span class=\"note\">drag or scroll to move, Ctrl and the wheel to zoom, arrow keys from mark to mark</span></div>\n")
	w.legend()
	w.put("<div class=\"chart\">\n<div class=\"names\">\n")
	for _, l := range w.line.lanes {
		w.laneName(l.run)
	}
	w.put("</div>\n<div class=\"pane\" id=\"pane\" tabindex=\"-1\">\n")
	high := axisHigh + laneHigh*len(w.line.lanes)
	w.put("<svg id=\"picture\" width=\"100%%\" height=\"%s\" role=\"group\" aria-label=\"All runs over time\">\n", high)
	w.ticks(high)
	for i, l := range w.line.lanes {
		w.lane(l, axisHigh+i*laneHigh)
	}
	w.flows()
	w.put("</svg>\n</div>\n</div>\n<output id=\"hint\" class=\"hint\"></output>\n")
	if slices.ContainsFunc(w.line.lanes, func(l *lane) bool { return l.Joined() }) {
		w.put("<p class=\"note\">Marks of one kind that stand too close to tell apart are drawn as one: this session has more of them than a picture can show.</p>\n")
	}
	w.put("</section>\n")
}

func (w *writer) laneName(run *lifecycle.Run) {
	what, class := run.Description, markup("child")
	if !run.Child() {
		what, class = cmp.Or(run.Prompt, "woken by "+string(run.Trigger)), "parent"
	}
	w.put("<a class=\"%s\" href=\"#%s\"><b>%s</b> %s</a>\n", class, anchor(w.Book, run.ID), w.Name(run.ID), words.CutLine(what, book.LongCell))
}

// legend says what the signs mean: as words, for who sees no colours.
func (w *writer) legend() {
	w.put("<ul class=\"legend\"><li><svg class=\"key\" width=\"14\" height=\"14\"><rect class=\"wait\" y=\"6\" width=\"14\" height=\"3\"/></svg>queued</li>")
	for _, look := range looks {
		sample := w.markup("<g transform=\"translate(7 7)\">%s</g>", look.class.sign(""))
		if look.shape == "" {
			sample = w.markup("<rect class=\"%s\" y=\"2\" width=\"14\" height=\"10\"/>", markup(look.class))
		}
		w.put("<li><svg class=\"key\" width=\"14\" height=\"14\">%s</svg>%s</li>", sample, look.word)
	}
	w.put("</ul>\n")
}

func (w *writer) ticks(high int) {
	for _, after := range w.line.axis.scale.Ticks(w.line.axis.begin, aboutTicks) {
		x, class := w.line.axis.x(w.line.axis.begin.Add(after)), markup("tick")
		if x <= axisFrom { // its middle would be cut off
			class = "tick first"
		}
		w.put("<line class=\"tick\" x1=\"%s%%\" x2=\"%s%%\" y1=\"18\" y2=\"%s\"/><text class=\"%s\" x=\"%s%%\" y=\"13\">%s</text>\n", x, x, high, class, x, "+"+words.Rounded(after))
	}
	for i, next := range w.line.axis.scale {
		if i == 0 {
			continue
		}
		last, before := w.line.axis.scale[i-1], w.line.axis.places[i-1]
		from := before.x + before.width
		w.put("<g><title>%s</title><rect class=\"gap\" x=\"%s%%\" width=\"%s%%\" y=\"0\" height=\"%s\"/></g>\n",
			"nothing ran for "+words.Rounded(next.From.Sub(last.To))+": not to scale", from, w.line.axis.places[i].x-from, high)
	}
}

// lane draws one run: when it waited for its slot, when it worked, and what
// happened meanwhile, moments above stretches.
func (w *writer) lane(l *lane, y int) {
	run, end := l.run, l.end(w.At)
	begun := run.StartedAt
	if begun.IsZero() || begun.After(end) {
		begun = end
	}
	w.put("<g class=\"lane\">\n<rect class=\"row\" x=\"0\" width=\"100%%\" y=\"%s\" height=\"%s\"/>\n", y, laneHigh)
	title := book.Joined(w.Name(run.ID), cmp.Or(run.Description, string(run.Trigger)), run.State.Words(lifecycle.ForPage), w.Elapsed(*run))
	w.put("<a href=\"#%s\"><title>%s</title>", l.home, words.CutLine(title, book.LongLine))
	if begun.After(run.SpawnedAt) {
		w.bar("wait", run.SpawnedAt, begun, y+laneHigh/2-1, 3)
	}
	if !run.StartedAt.IsZero() {
		w.bar("run "+stateClass(run.State), begun, end, y+(laneHigh-barHigh)/2, barHigh)
	}
	w.put("</a>\n")
	for _, look := range looks {
		for m := range l.of(look.class) {
			w.mark(l, m, y)
		}
	}
	w.put("</g>\n")
}

func (w *writer) bar(class markup, from, to time.Time, y, high int) {
	x := w.line.axis.x(from)
	w.put("<rect class=\"%s\" x=\"%s%%\" width=\"%s%%\" y=\"%s\" height=\"%s\"/>", class, x, w.line.axis.x(to)-x, y, high)
}

func (w *writer) mark(l *lane, m *lanes.Mark, y int) {
	class, anchor := classOf(m), l.home
	word, shape := class.look()
	title := book.Joined(w.Name(l.run.ID), words.CutLine(w.Readable(m.Label), book.LongLine), w.when(m))
	if m.More > 0 {
		title = book.Joined(w.Name(l.run.ID), words.CountGrouped(m.More+1, word)+" close together", w.when(m))
	}
	switch {
	case w.brief: // there is no other place
	case class == markTold:
		anchor = toldAnchor(w.Index[m.Of])
	default:
		anchor = l.anchor(m)
	}
	w.put("<a href=\"#%s\"><title>%s</title>", anchor, title)
	if shape == "" {
		w.bar(markup(class), m.From, m.To, y+8, laneHigh-16)
	} else {
		w.put("<svg class=\"at\" x=\"%s%%\" y=\"%s\" overflow=\"visible\">%s</svg>", w.line.axis.x(m.From), y+laneHigh/2, class.sign(stateClass(l.run.State)))
	}
	w.put("</a>\n")
}

// when says at which time of the session a mark stands, and how long it lasted.
func (w *writer) when(m *lanes.Mark) string {
	at := "+" + words.Rounded(max(0, m.From.Sub(w.line.axis.begin)))
	if m.To.After(m.From) {
		at += ", for " + words.Rounded(m.To.Sub(m.From))
	}
	return at
}

// flows lead from the end of a run to where its parent was told.
func (w *writer) flows() {
	place := map[lifecycle.RunID]int{}
	for i, l := range w.line.lanes {
		place[l.run.ID] = axisHigh + i*laneHigh + laneHigh/2
	}
	for _, l := range w.line.lanes {
		n := l.run.Notification
		if n == nil || n.DeliveredAt.IsZero() {
			continue
		}
		if in, known := place[n.InRun]; known {
			w.put("<line class=\"flow\" x1=\"%s%%\" y1=\"%s\" x2=\"%s%%\" y2=\"%s\"/>\n",
				w.line.axis.x(l.end(w.At)), place[l.run.ID], w.line.axis.x(n.DeliveredAt), in)
		}
	}
}
