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
func (w *writer) conversation(ctx context.Context, s book.Conversation) error {
	w.heading(s)
	var in lifecycle.RunID
	last := "" // what the model said last in this run
	written := 0
	for m, err := range w.Messages(ctx, s.ID) {
		if err != nil {
			return err
		}
		written++
		if m.Run != in {
			if err := w.close(ctx, in, last); err != nil {
				return err
			}
			in, last = m.Run, ""
			w.printf("### %s%s\n\n", w.inline(in), w.outcome(in))
		}
		w.say(m)
		for _, piece := range m.Parts {
			if m.Kind == lifecycle.EntryAssistant && piece.Text != "" && piece.Type == book.PartText {
				last = piece.Text
			}
		}
	}
	if err := w.close(ctx, in, last); err != nil {
		return err
	}
	if written == 0 {
		w.printf("No message yet.\n\n")
	}
	return w.buf.Flush()
}

func (w *writer) heading(s book.Conversation) {
	if s.Parent == "" {
		w.printf("## P: the main agent's conversation\n\n")
		return
	}
	first := s.Runs[0]
	w.printf("## %s: %s, type %s\n\n", s.Name, w.code(first.Description, book.LongLine), w.code(first.Type, book.LongLine))
	w.printf("- Session: %s\n- Model: %s\n- Called by %s with %s\n\n",
		w.code(string(s.ID), book.LongLine), w.code(book.ModelOf(*first), book.LongLine),
		w.inline(first.ParentRun), w.code(string(first.Call), book.LongLine))
}

// inline is the name of a run within a line of prose.
func (w *writer) inline(id lifecycle.RunID) string {
	if name, ok := w.Names[id]; ok {
		return name
	}
	return w.code(string(id), book.LongLine)
}

func (w *writer) outcome(id lifecycle.RunID) string {
	run, ok := w.Run(id)
	if !ok {
		return ""
	}
	return ": " + w.code(string(run.State), book.LongCell)
}

// close writes what a run leaves that no message tells: the error it failed
// with, and the text that it was writing when it was cut off.
func (w *writer) close(ctx context.Context, id lifecycle.RunID, last string) error {
	run, err := w.Whole(ctx, id)
	if err != nil {
		return err
	}
	if heading, text := book.CutOff(run, last); text != "" {
		w.printf("**%s**\n\n", heading)
		w.block(text)
	}
	if run.Error != nil {
		w.printf("**Failed**: %s\n\n", w.code(run.Error.Line(), book.LongLine))
	}
	return nil
}

func (w *writer) say(m book.Message) {
	switch m.Kind {
	case lifecycle.EntryNotification:
		if run, _ := w.Run(m.Source); run.UserShell() {
			w.printf("**Command of the user**, %s%s\n\n", w.inline(m.Source), w.outcome(m.Source))
			w.short(m.Parts[0].Text)
			return
		}
		w.printf("**Notification** of the end of %s%s\n\n", w.inline(m.Source), w.outcome(m.Source))
		w.short(m.Parts[0].Text)
		return
	case lifecycle.EntrySummary:
		w.printf("**Summary**, which replaces everything before it\n\n")
	case lifecycle.EntryRewind:
		w.printf("**%s**\n\n", m.Rewound())
	case lifecycle.EntryUser:
		w.printf("**%s**\n\n", book.Speaker(m.From))
	case lifecycle.EntryAssistant, lifecycle.EntryToolResult:
	}
	for i, part := range m.Parts {
		if m.Kind == lifecycle.EntryUser && i > 0 && part.Type == book.PartText { // what the message names
			w.short(part.Text)
			continue
		}
		w.part(m, part)
	}
}

func (w *writer) part(m book.Message, piece book.Part) {
	switch piece.Type {
	case book.PartThinking:
		w.printf("**Thinking**\n\n")
		if piece.Redacted {
			w.printf("(not shown by its provider)\n\n")
			return
		}
		w.block(piece.Text)
	case book.PartCall:
		w.call(m, piece)
	case book.PartResult:
		word := "Result"
		if piece.IsError {
			word = "Error"
		}
		w.printf("**%s** of %s\n\n", word, w.code(piece.Name, book.LongCell))
		w.short(piece.Text)
		w.pictures(piece.Images)
		for _, one := range piece.Instructions {
			w.printf("**With it** %s\n\n", w.code(one.Words(), book.LongLine))
			if one.Text != "" {
				w.short(one.Text)
			}
		}
	case book.PartSearch:
		w.printf("**Web** %s\n\n", w.code(piece.Text, book.LongLine))
		for _, page := range piece.Found {
			w.printf("- %s\n", w.code(strings.TrimSpace(page.Title+" "+page.URL), book.LongLine))
		}
		if len(piece.Found) > 0 {
			w.printf("\n")
		}
	case book.PartImage:
		w.pictures(piece.Images)
	case book.PartText:
		if m.Kind == lifecycle.EntryAssistant {
			w.printf("**Assistant**\n\n")
		}
		w.block(piece.Text)
	}
}

// call writes a tool call in one line, and the runs that stand on it.
func (w *writer) call(m book.Message, piece book.Part) {
	input := book.Unescape.Replace(string(w.Mask.JSON(nil, piece.Input)))
	w.printf("**Tool** %s %s", w.code(piece.Name, book.LongCell), w.code(input, book.LongLine))
	if who := w.Called(piece.Input); who != "" {
		w.printf(" on %s", w.code(who, book.LongCell))
	}
	run, _ := w.Run(m.Run)
	for _, started := range w.Calls[book.Caller{Session: run.Session, Call: piece.Call}] {
		run, _ := w.Run(started)
		w.printf(" → %s %s%s", w.Name(started), w.code(run.Description, book.LongCell), w.outcome(started))
	}
	w.printf("\n\n")
}

func (w *writer) pictures(images []book.Image) {
	for _, picture := range images {
		w.printf("(a picture, %s, %s bytes)\n\n", w.code(picture.MediaType, book.LongCell), words.Grouped(int64(picture.Bytes)))
	}
}

// short writes the beginning of a text, and how much there was of it.
func (w *writer) short(text string) {
	text = strings.TrimRight(w.Readable(text), "\n")
	cut := words.First(text, shortText)
	lines := strings.Split(cut, "\n")
	if len(lines) > shortLines {
		cut = strings.Join(lines[:shortLines], "\n")
	}
	w.printf("%s\n", fence("text", cut))
	if gone := utf8.RuneCountInString(text[len(cut):]); gone > 0 {
		w.printf("(and %s characters more)\n\n", words.Grouped(int64(gone)))
	}
}
