package transcript

import (
	"encoding/json"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// blockKind is the kind of a block.
type blockKind int

const (
	said    blockKind = iota // somebody wrote to the session
	Answer                   // the model wrote
	thought                  // the model reasoned
	Tool                     // a tool call, or the card of a subagent
	Note                     // one line about what happened
	command                  // a shell's command line, and what it writes
)

// Block is one piece of a conversation. It keeps its lines for the width at which it was last
// drawn; Changed forgets them.
type Block struct {
	Kind blockKind
	Seq  lifecycle.Seq // its first record, 0 if there is none yet
	At   time.Time

	from   string        // for said: user, agent or pawl; for command: user, of their own
	step   int           // for said: the step that took it in, if it had to wait; for ends: the one that was told
	waited time.Duration // for how long it waited, if known
	Tone   draw.Tone     // for Note
	Sign   sanitize.Text

	attached []lifecycle.Attachment // for said
	pastes   []string               // for said: what of it may be pastes that the composer had folded

	Text string // the recorded text
	Live string // the text of the newest progress, while that is longer
	Open bool   // more may come

	Call  lifecycle.CallID
	name  string               // name of the tool
	Label string               // for command: the command line
	state lifecycle.ToolStatus // empty while it runs
	view  json.RawMessage
	note  string // what became of the permission
	read  string // the instructions that were read because of the call
	ends  []end  // of which the model was told, for a Note

	away bool // it is taken back: the model is not shown it

	Folding Folding // set for this block only
	Sought  Sought  // its text for searches, while one is active
	heir    *Block  // the block that replaced it when older records were added

	drawn drawn
}

// drawn is a drawn block; for a growing answer also how much of its text is final.
type drawn struct {
	width   int
	details bool
	shut    bool
	look    *draw.Prose // the Prose it was drawn with
	lines   []draw.Styled
	ready   bool
	stamp   int64 // stamp of the runs on it

	done  int // bytes of text that are final
	fixed []draw.Styled
	of    string // the text that done refers to

	open   []draw.Styled // finished lines of the rest
	openOf string
	plain  bool // open is not rendered as Markdown
	code   openCode
}

// Changed forgets the drawn lines.
func (b *Block) Changed() { b.drawn.ready, b.Sought = false, Sought{} }

// Whole is the text of the block: the recorded one or, while it is longer, that of the progress.
func (b *Block) Whole() string {
	if len(b.Live) > len(b.Text) {
		return b.Live
	}
	return b.Text
}

// userShell reports whether the block is a command of the user's own.
func (b *Block) userShell() bool { return b.Kind == command && b.from == lifecycle.FromUser }

// Tight reports whether the block has no blank line to others of its sort.
func (b *Block) Tight() bool { return b.Kind == Tool || b.Kind == thought || b.Kind == Note }

// Lines draws the block, or returns the kept lines if they are still valid. runs are those that
// a tool call started.
func (b *Block) Lines(c draw.Canvas, runs []Card) []draw.Styled {
	if b.userShell() && b.Open || len(runs) == 0 && b.Kind == Tool && b.state == "" || len(runs) > 0 && anyLive(runs) {
		return b.render(c, runs) // it is animated
	}
	d := &b.drawn
	stamp := stampOf(runs)
	if d.ready && d.stamp == stamp && d.width == c.Width && d.details == c.Details && d.shut == c.Shut && d.look == c.Markdown {
		return d.lines
	}
	if d.width != c.Width || d.look != c.Markdown {
		d.done, d.fixed, d.of, d.open, d.code = 0, nil, "", nil, openCode{}
	}
	d.width, d.details, d.shut, d.look, d.stamp = c.Width, c.Details, c.Shut, c.Markdown, stamp
	d.lines, d.ready = b.render(c, runs), true
	return d.lines
}

func (b *Block) render(c draw.Canvas, runs []Card) []draw.Styled {
	if b.away && !c.Details {
		return b.renderAway(c)
	}
	var lines []draw.Styled
	switch b.Kind {
	case said:
		lines = b.renderSaid(c)
		if b.away {
			lines = append([]draw.Styled{c.Theme.Faint.Draw("taken back:")}, lines...)
		}
	case Answer:
		return b.renderAnswer(c)
	case thought:
		lines = b.renderThought(c)
	case Tool:
		if len(runs) > 0 {
			lines = renderDelegation(c, b, runs)
		} else {
			lines = b.renderTool(c)
		}
	case Note:
		lines = b.renderNote(c)
	case command:
		lines = b.renderCommand(c)
		if b.userShell() {
			lines = b.renderUserShell(c)
		}
	}
	text := ""
	if b.Kind == said {
		text = b.Whole()
	}
	return c.Finish(lines, text)
}

// renderAnswer draws Markdown piece by piece: final parts once, the unfinished end with each of
// its lines. So a token costs the same however much text is above it.
func (b *Block) renderAnswer(c draw.Canvas) []draw.Styled {
	inner, text, d := c.Narrow(2), b.Whole(), &b.drawn
	if !strings.HasPrefix(text, d.of) {
		d.done, d.fixed = 0, nil
	}
	d.of = text
	end := len(text)
	if b.Open {
		end = stable(text, d.done)
	}
	piece := text[d.done:end]
	if lines := c.Markdown.Render(sanitize.Clean(piece), inner.Width); len(lines) > 0 {
		if len(d.fixed) > 0 {
			d.fixed = append(d.fixed, "")
		}
		d.fixed = append(d.fixed, c.Finish(draw.Indent(lines), piece)...)
	}
	d.done = end
	lines := d.fixed[:len(d.fixed):len(d.fixed)]
	if tail := strings.TrimSpace(text[d.done:]); tail != "" {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, d.renderOpen(c, strings.TrimLeft(text[d.done:], "\n"))...)
	}
	return lines
}

func (b *Block) renderThought(c draw.Canvas) []draw.Styled {
	text := strings.TrimSpace(b.Whole())
	sign := c.Theme.Faint.Draw(c.Glyphs.Thought + " ")
	if c.Details {
		return draw.Hang(sign, c.Narrow(2).Prose().Paragraph(c.Theme.Dim, sanitize.Clean(text)))
	}
	// One line: the newest while it goes on, then the first.
	line := words.FirstLine(text)
	if b.Open {
		line = words.LastLine(text)
	}
	return []draw.Styled{sign + c.Theme.Faint.Draw(c.Cut(sanitize.Line(line), c.Width-2))}
}

func (b *Block) renderNote(c draw.Canvas) []draw.Styled {
	if len(b.ends) > 1 {
		return b.renderEnds(c)
	}
	look, sign := b.Tone.Paint(c.Theme), c.Glyphs.Named(b.Sign)
	return draw.Hang(look.Draw(sign+" "), c.Narrow(2).Content().Paragraph(look, sanitize.Clean(b.Text)))
}

// record sets the first record of a block that progress created.
func (b *Block) record(rec lifecycle.Record) {
	if b.Seq == 0 {
		b.Seq = rec.Seq
	}
}
