package ui

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// A shell's view is that of any session: its one block is the command line and, live
// below it, what it writes. It takes no messages, so nothing can be typed there.

// deaf reports whether the session that is shown takes no messages.
func (m *model) deaf() bool { return m.runs.of(m.open).Shell() }

// shellHears answers who types to a shell.
const shellHears sanitize.Text = "a command takes no messages"

// shellBegun opens the view of a shell.
func (c *conversation) shellBegun(rec lifecycle.Record, spec lifecycle.Spec) {
	c.output = c.add(&block{kind: command, seq: rec.Seq, at: rec.Time, label: spec.Command, open: true})
}

// shellEnded closes it with how the command ended.
func (c *conversation) shellEnded(rec lifecycle.Record, e lifecycle.Ended) {
	b := c.output
	b.text, b.live, b.open = e.Result, "", false
	b.changed()
	run := c.runs.runs[rec.Run]
	tone := caution
	if e.State == lifecycle.StateCompleted {
		tone = quiet
	}
	c.note(rec, tone, standing(run)).sign = stoppedSign
	if e.State == lifecycle.StateFailed && e.Error != nil && e.Error.Kind == lifecycle.FailSetup {
		c.note(rec, failure, sanitize.Clean(e.Error.Message)).sign = failedSign
	}
}

// renderCommand draws a shell: its command line, and the end of what it wrote.
func (b *block) renderCommand(c canvas) []styled {
	inner := c.narrow(2)
	lines := hang(c.theme.user.draw("$ "), inner.paragraph(c.theme.strong, sanitize.Clean(b.label)))
	text := strings.TrimRight(b.text, "\n ")
	if b.open {
		text = strings.TrimRight(b.live, "\n ")
	}
	if text == "" {
		return lines
	}
	output := inner.paragraph(c.theme.dim, sanitize.Clean(text))
	return append(lines, indented(output[max(0, len(output)-opened):])...)
}
