package markdown

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Write writes a root session, as it stood when record upto was the newest, for people to
// read and to paste: who did what and how each ended, the parent's transcript, each
// subagent's, the commands in the background, and the log event by event. In brief it is
// one page: what was asked, who did what, how each run ended and by whose wish, when the
// parent was told, and what it cost. What others wrote stands in fences and code spans that
// it cannot leave, and does nothing there. An error leaves the text unfinished.
func Write(ctx context.Context, to io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq, brief bool) error {
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return err
	}
	w := &writer{Book: b, buf: bufio.NewWriterSize(to, 64<<10)}
	write := w.session
	if brief {
		write = w.page
	}
	if err := write(ctx); err != nil {
		return err
	}
	return w.buf.Flush()
}

func (w *writer) session(ctx context.Context) error {
	w.facts()
	w.summary()
	w.denials()
	for _, s := range w.Sessions {
		if err := w.conversation(ctx, s); err != nil {
			return err
		}
	}
	if err := w.commands(ctx); err != nil {
		return err
	}
	if err := w.changed(ctx); err != nil {
		return err
	}
	w.openings()
	return w.trail(ctx)
}

// writer is a Markdown text on its way out. Its buffer keeps the first error and
// gives it at the next Flush.
type writer struct {
	*book.Book
	buf *bufio.Writer
}

// printf writes what is ours: everything else comes through code, cell or block.
func (w *writer) printf(format string, args ...any) { _, _ = fmt.Fprintf(w.buf, format, args...) }

// code is a text of others within a line, at most n characters of it.
func (w *writer) code(s string, n int) string { return codeSpan(words.CutLine(w.Readable(s), n)) }

// cell is the same in a table.
func (w *writer) cell(s string, n int) string { return cellSpan(words.CutLine(w.Readable(s), n)) }

// block is a text of others on lines of its own.
func (w *writer) block(s string) { w.printf("%s\n", fence("text", w.Readable(s))) }

func (w *writer) facts() {
	s := w.Facts()
	w.printf("# Pawl session %s\n\n", w.code(s.Title, book.LongLine))
	w.printf("- Session: %s\n", w.code(string(s.ID), book.LongLine))
	w.printf("- Folder: %s\n", w.code(s.Folder, book.LongLine))
	w.printf("- Model: %s\n", w.code(s.Model, book.LongLine))
	w.printf("- Created: %s\n", book.Stamp(s.Created))
	if s.ForkedFrom != nil {
		w.printf("- Forked from: %s\n", w.code(s.ForkedFrom.Says(), book.LongLine))
	}
	w.printf("- Up to record %d", w.Upto)
	if !w.At.IsZero() {
		w.printf(", of %s", book.Stamp(w.At))
	}
	shells := ""
	if len(w.Shells) > 0 {
		shells = ", S1 the first shell: a command in the background"
	}
	w.printf("\n- Written by Pawl %s\n\n", w.code(w.Source.Version, book.LongLine))
	if w.Source.Bare {
		w.printf("%s\n\n", book.BareNote)
	}
	w.printf("Times are UTC. P1 is the main agent's first run, A2.1 the first run of the second subagent%s.\n\n", shells)
}

// openings writes under which versions and settings the session was driven.
func (w *writer) openings() {
	all := w.Openings()
	if len(all) == 0 {
		return
	}
	w.printf("## Versions and settings\n\n")
	for _, o := range all {
		w.printf("- %s\n", w.code(o.Facts(), book.LongLine))
		for _, line := range o.SettingLines() {
			w.printf("  - %s\n", w.code(line, book.LongLine))
		}
	}
	w.printf("\n")
}
