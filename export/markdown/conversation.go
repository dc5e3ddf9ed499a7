package markdown

import (
	"context"
	"strings"
	"unicode/utf8"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Tool results, notifications and what is attached to a message stand in short: the
// whole of them is in the JSON export.
const (
	shortLines = 16
	shortText  = 1200 // characters
)

// conversation writes the transcript of one session under its own heading.
func (p *writer) conversation(ctx context.Context, s book.Conversation) error {
	p.heading(s)
	var in lifecycle.RunID
	last := "" // what the model said last in this run
	written := 0
	for m, err := range p.Messages(ctx, s.ID) {
		if err != nil {
			return err
		}
		written++
		if m.Run != in {
			if err := p.close(ctx, in, last); err != nil {
				return err
			}
			in, last = m.Run, ""
			p.printf("### %s%s\n\n", p.inline(in), p.outcome(in))
		}
		p.say(m)
		for _, piece := range m.Parts {
			if m.Kind == lifecycle.EntryAssistant && piece.Text != "" && piece.Type == book.PartText {
				last = piece.Text
			}
		}
	}
	if err := p.close(ctx, in, last); err != nil {
		return err
	}
	if written == 0 {
		p.printf("No message yet.\n\n")
	}
	return p.w.Flush()
}

func (p *writer) heading(s book.Conversation) {
	if s.Parent == "" {
		p.printf("## P: the main agent's conversation\n\n")
		return
	}
	first := s.Runs[0]
	p.printf("## %s: %s, type %s\n\n", s.Name, p.code(first.Description, book.LongLine), p.code(first.Type, book.LongLine))
	p.printf("- Session: %s\n- Model: %s\n- Called by %s with %s\n\n",
		p.code(string(s.ID), book.LongLine), p.code(first.Model, book.LongLine),
		p.inline(first.ParentRun), p.code(string(first.Call), book.LongLine))
}

// inline is the name of a run within a line of prose.
func (p *writer) inline(id lifecycle.RunID) string {
	if name, ok := p.Names[id]; ok {
		return name
	}
	return p.code(string(id), book.LongLine)
}

// outcome is how a run ended, to follow its name.
func (p *writer) outcome(id lifecycle.RunID) string {
	run, ok := p.Run(id)
	if !ok {
		return ""
	}
	return ": " + p.code(string(run.State), book.LongCell)
}

// close writes what a run leaves that no message tells: the error it failed
// with, and the text that it was writing when it was cut off.
func (p *writer) close(ctx context.Context, id lifecycle.RunID, last string) error {
	run, err := p.Whole(ctx, id)
	if err != nil {
		return err
	}
	if text := strings.TrimSpace(run.Partial); text != "" && text != strings.TrimSpace(last) {
		word := "Cut off"
		if !run.State.Terminal() {
			word = "Written so far"
		}
		p.printf("**%s**\n\n", word)
		p.block(run.Partial)
	}
	if run.Error != nil {
		p.printf("**Failed**: %s\n\n", p.code(run.Error.Line(), book.LongLine))
	}
	return nil
}

// say writes one message.
func (p *writer) say(m book.Message) {
	switch m.Kind {
	case lifecycle.EntryNotification:
		p.printf("**Notification** of the end of %s%s\n\n", p.inline(m.Source), p.outcome(m.Source))
		p.short(m.Parts[0].Text)
		return
	case lifecycle.EntrySummary:
		p.printf("**Summary**, which replaces everything before it\n\n")
	case lifecycle.EntryUser:
		p.printf("**%s**\n\n", book.Speaker(m.From))
	case lifecycle.EntryAssistant, lifecycle.EntryToolResult:
	}
	for i, part := range m.Parts {
		if m.Kind == lifecycle.EntryUser && i > 0 && part.Type == book.PartText { // what the message names
			p.short(part.Text)
			continue
		}
		p.part(m, part)
	}
}

func (p *writer) part(m book.Message, piece book.Part) {
	switch piece.Type {
	case book.PartThinking:
		p.printf("**Thinking**\n\n")
		if piece.Redacted {
			p.printf("(not shown by its provider)\n\n")
			return
		}
		p.block(piece.Text)
	case book.PartCall:
		p.call(m, piece)
	case book.PartResult:
		word := "Result"
		if piece.IsError {
			word = "Error"
		}
		p.printf("**%s** of %s\n\n", word, p.code(piece.Name, book.LongCell))
		p.short(piece.Text)
		p.pictures(piece.Images)
	case book.PartImage:
		p.pictures(piece.Images)
	case book.PartText:
		if m.Kind == lifecycle.EntryAssistant {
			p.printf("**Assistant**\n\n")
		}
		p.block(piece.Text)
	}
}

// call writes a tool call in one line, and the runs that stand on it.
func (p *writer) call(m book.Message, piece book.Part) {
	input := book.Unescape.Replace(string(p.Mask.JSON(nil, piece.Input)))
	p.printf("**Tool** %s %s", p.code(piece.Name, book.LongCell), p.code(input, book.LongLine))
	if who := p.Called(piece.Input); who != "" {
		p.printf(" on %s", p.code(who, book.LongCell))
	}
	run, _ := p.Run(m.Run)
	for _, started := range p.Calls[book.Caller{Session: run.Session, Call: piece.Call}] {
		run, _ := p.Run(started)
		p.printf(" → %s %s%s", p.Name(started), p.code(run.Description, book.LongCell), p.outcome(started))
	}
	p.printf("\n\n")
}

func (p *writer) pictures(images []book.Image) {
	for _, picture := range images {
		p.printf("(a picture, %s, %s bytes)\n\n", p.code(picture.MediaType, book.LongCell), words.Grouped(int64(picture.Bytes)))
	}
}

// short writes the beginning of a text, and how much there was of it.
func (p *writer) short(text string) {
	text = strings.TrimRight(p.Readable(text), "\n")
	cut := words.First(text, shortText)
	lines := strings.Split(cut, "\n")
	if len(lines) > shortLines {
		cut = strings.Join(lines[:shortLines], "\n")
	}
	p.printf("%s\n", fence("text", cut))
	if gone := utf8.RuneCountInString(text[len(cut):]); gone > 0 {
		p.printf("(and %s characters more)\n\n", words.Grouped(int64(gone)))
	}
}
