package fleet

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// workerWords say how many machines take runs of others; empty for none.
func (m *model) workerWords() sanitize.Text {
	if len(m.workers) == 0 {
		return ""
	}
	text := words.Count(len(m.workers), "worker")
	if !slices.ContainsFunc(m.workers, func(w Worker) bool { return w.Fits && w.Busy < w.Slots }) {
		text += ", no slot free"
	}
	return sanitize.Line(text)
}

// openWorkers shows the machines in place of the list.
func (m *model) openWorkers() tea.Cmd {
	m.disarm()
	if len(m.workers) == 0 {
		m.say(draw.Quiet, "no worker is there: pawl worker, on another machine")
		return nil
	}
	m.help, m.machines = &draw.Body{}, true
	m.changed()
	return nil
}

// coverLines are all lines of what covers the list.
func (m *model) coverLines(c draw.Canvas) []draw.Styled {
	if !m.machines {
		return m.helpLines(c)
	}
	name := 0
	for _, w := range m.workers {
		name = max(name, draw.Cells(nameOf(w)))
	}
	c = c.Content()
	name = min(name, c.Width/3)
	lines := []draw.Styled{c.Theme.Strong.Draw("Workers"), ""}
	for _, w := range m.workers {
		line := draw.Pad(c.Theme.Text.Draw(c.Cut(nameOf(w), name)), name) + "  " + slotsOf(c, w) + "  " + draw.Pad(c.Theme.Dim.Draw(loadOf(w)), widestLoad)
		lines = append(lines, c.CutStyled(line+"  "+c.Theme.Dim.Draw(aboutWorker(w)), c.Width))
		if !w.Fits {
			lines = append(lines, c.Theme.Warn.Draw(c.Cut("  speaks another version, and takes no runs of this one: install the same Pawl there", c.Width)))
		}
	}
	return lines
}

// What the columns of a worker take at most; a longer one moves those behind it.
const (
	widestSlots = len("10 of 12 slots")
	widestLoad  = len("load 12.3")
)

func nameOf(w Worker) sanitize.Text {
	if name := sanitize.Line(w.Name); name != "" {
		return name
	}
	return "unnamed"
}

// slotsOf says how many slots of a worker are taken; one without a free slot is marked.
func slotsOf(c draw.Canvas, w Worker) draw.Styled {
	look := c.Theme.Text
	if w.Busy >= w.Slots {
		look = c.Theme.Accent
	}
	return draw.Pad(look.Draw(draw.Sprintf("%d of %s", w.Busy, words.Count(w.Slots, "slot"))), widestSlots)
}

func loadOf(w Worker) sanitize.Text {
	if w.Load < 0 {
		return ""
	}
	return draw.Sprintf("load %.1f", w.Load)
}

func aboutWorker(w Worker) sanitize.Text {
	text := "Pawl " + w.Version
	if len(w.Labels) > 0 {
		text = strings.Join(w.Labels, ", ") + "  " + text
	}
	return sanitize.Line(text)
}
