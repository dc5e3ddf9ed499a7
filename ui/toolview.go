package ui

import (
	"strings"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// How much of a result is shown: a glimpse while details are folded, and at most
// this when they are open, so that no result can fill the memory of the screen.
const (
	glimpse   = 3
	diffShown = 14
	opened    = 400
)

// renderTool draws a tool call: one line with its outcome, and of its result
// what its view deserves.
func (b *block) renderTool(c canvas) []styled {
	sign, look := c.outcome(b.state)
	name := sanitize.Line(b.name)
	var summary styled
	var body []styled
	if b.state == "" {
		if took := c.now.Sub(b.at); took >= 2*second {
			summary = c.theme.faint.draw(sanitize.Line(words.Duration(took)))
		}
	} else {
		summary, body = renderView(c.narrow(2), b.decoded(), b.state)
	}
	if c.shut {
		body = nil
	}
	if b.note != "" {
		summary = c.joined(c.theme.dim.draw(sanitize.Line(b.note)), summary)
	}
	head := look.draw(sign) + " " + c.theme.text.draw(name)
	if b.label != "" {
		head += " " + c.file(b.path(), c.theme.dim.draw(sanitize.Line(b.label)))
	}
	if summary == "" {
		return append([]styled{c.ended(head)}, indented(body)...)
	}
	// The head gives way to the outcome, but keeps half of the line.
	room := max(c.width/2, c.width-cells(summary)-3)
	line := c.cutStyled(head, room) + "  " + summary
	return append([]styled{c.ended(line)}, indented(body)...)
}

func (c canvas) ended(line styled) styled { return c.cutStyled(line, c.width) }

// outcome is the sign of a tool call, and its look.
func (c canvas) outcome(status lifecycle.ToolStatus) (sanitize.Text, paint) {
	switch status {
	case lifecycle.ToolOK:
		return c.glyphs.done, c.theme.good
	case lifecycle.ToolError:
		return c.glyphs.failed, c.theme.bad
	case lifecycle.ToolDenied:
		return c.glyphs.denied, c.theme.warn
	case lifecycle.ToolCanceled:
		return c.glyphs.stopped, c.theme.warn
	}
	return c.glyphs.spinner[c.frame%len(c.glyphs.spinner)], c.theme.accent
}

// renderView draws a result: what stands behind the call, and what stands below
// it. It is the only switch over views.
func renderView(c canvas, view agent.View, status lifecycle.ToolStatus) (summary styled, body []styled) {
	dim := c.theme.dim
	switch v := view.(type) {
	case nil:
		return "", nil
	case agent.PlainView:
		return plainView(c, v, status)
	case agent.CommandView:
		return commandView(c, v, status)
	case agent.DiffView:
		summary = c.theme.added.draw(say("+%d", v.Added)) + " " + c.theme.removed.draw(say("-%d", v.Removed))
		if v.New {
			summary = dim.draw("new") + " " + summary
		}
		return summary, c.clip(renderDiff(c, v.Diff), diffShown)
	case agent.ListingView:
		summary = dim.draw(say("%d found", max(v.Total, len(v.Items))))
		if !c.details {
			return summary, nil
		}
		var lines []styled
		for _, item := range v.Items {
			lines = append(lines, c.listed(item, dim.draw(c.cut(sanitize.Line(item), c.width))))
		}
		return summary, c.clip(lines, 0)
	case agent.TodoView:
		return "", todoView(c, v)
	case agent.RunView:
		return "", nil // its card is drawn from the log
	}
	return dim.draw("a result of a kind this version cannot show"), nil
}

func plainView(c canvas, v agent.PlainView, status lifecycle.ToolStatus) (styled, []styled) {
	text := strings.TrimSpace(v.Text)
	switch {
	case text == "":
		return "", nil
	case c.details:
		return "", c.clip(c.paragraph(c.theme.dim, sanitize.Clean(text)), 0)
	case status == lifecycle.ToolOK:
		if n := strings.Count(text, "\n") + 1; n > 1 {
			return c.theme.faint.draw(sanitize.Line(words.Count(n, "line"))), nil
		}
		return c.theme.faint.draw(c.cut(sanitize.Line(text), c.width/2)), nil
	case status == lifecycle.ToolDenied:
		return "", nil // the reason stands on the line
	}
	return "", c.clip(c.paragraph(c.theme.dim, sanitize.Clean(text)), glimpse)
}

func commandView(c canvas, v agent.CommandView, status lifecycle.ToolStatus) (styled, []styled) {
	output := strings.TrimRight(v.Output, "\n ")
	var exit, size, remark styled
	if v.ExitCode != 0 {
		exit = c.theme.bad.draw(say("exit %d", v.ExitCode))
	}
	if status == lifecycle.ToolCanceled { // the code is that of the signal which stopped it
		exit, v.Note = "", "stopped"
	}
	if v.Note != "" {
		remark = c.theme.dim.draw(sanitize.Line(v.Note))
	}
	lines := 0
	if output != "" {
		lines = strings.Count(output, "\n") + 1
		size = c.theme.faint.draw(sanitize.Line(words.Count(lines, "line")))
	}
	summary := c.joined(exit, remark, size)
	if output == "" {
		return summary, nil
	}
	if c.details {
		return summary, c.clip(c.paragraph(c.theme.dim, sanitize.Clean(output)), 0)
	}
	if status == lifecycle.ToolOK && v.ExitCode == 0 {
		return summary, nil
	}
	return summary, c.last(output, glimpse) // what went wrong stands at the end
}

func todoView(c canvas, v agent.TodoView) []styled {
	var lines []styled
	for _, item := range v.Items {
		sign, look := c.glyphs.open, c.theme.dim
		switch item.State {
		case "active":
			sign, look = c.glyphs.active, c.theme.strong
		case "done":
			sign, look = c.glyphs.box, c.theme.faint
		}
		lines = append(lines, hang(look.draw(sign+" "), c.narrow(2).paragraph(look, sanitize.Line(item.Text)))...)
	}
	return c.clip(lines, 30)
}

// clip keeps the first lines: folded ones of them, or all that open details show.
func (c canvas) clip(lines []styled, folded int) []styled {
	most := folded
	if c.details {
		most = opened
	}
	if len(lines) <= most+1 {
		return lines
	}
	hint := say("%s %d more lines (ctrl+o)", c.glyphs.more, len(lines)-most)
	if c.details {
		hint = say("%s %d more lines", c.glyphs.more, len(lines)-most)
	}
	return append(lines[:most:most], c.theme.faint.draw(hint))
}

// last draws the last lines of an output.
func (c canvas) last(output string, n int) []styled {
	at := len(output)
	for range n {
		if at = strings.LastIndexByte(output[:at], '\n'); at < 0 {
			break
		}
	}
	var lines []styled
	for _, line := range sanitize.Clean(output[at+1:]).Lines() {
		lines = append(lines, c.theme.dim.draw(c.cut(line, c.width)))
	}
	return lines
}

// path is the file that a call changed; empty where it is not known.
func (b *block) path() string {
	if v, ok := b.decoded().(agent.DiffView); ok {
		return v.Path
	}
	return ""
}
