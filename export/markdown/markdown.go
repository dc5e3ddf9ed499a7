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
func Write(ctx context.Context, w io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq, brief bool) error {
	fail := func(err error) error { return fmt.Errorf("export session %s as Markdown: %w", root, err) }
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return fail(err)
	}
	p := &writer{Book: b, w: bufio.NewWriterSize(w, 64<<10)}
	write := p.session
	if brief {
		write = p.page
	}
	if err := write(ctx); err != nil {
		return fail(err)
	}
	if err := p.w.Flush(); err != nil {
		return fail(err)
	}
	return nil
}

// session writes everything.
func (p *writer) session(ctx context.Context) error {
	p.facts()
	p.summary()
	p.denials()
	for _, s := range p.Sessions {
		if err := p.conversation(ctx, s); err != nil {
			return err
		}
	}
	if err := p.commands(ctx); err != nil {
		return err
	}
	p.openings()
	return p.trail(ctx)
}

// writer is a Markdown text on its way out. Its writer keeps the first error and
// gives it at the next Flush.
type writer struct {
	*book.Book
	w *bufio.Writer
}

// printf writes what is ours: everything else comes through code, cell or block.
func (p *writer) printf(format string, args ...any) { _, _ = fmt.Fprintf(p.w, format, args...) }

// code is a text of others within a line, at most n characters of it.
func (p *writer) code(s string, n int) string { return codeSpan(words.CutLine(p.Readable(s), n)) }

// cell is the same in a table.
func (p *writer) cell(s string, n int) string { return cellSpan(words.CutLine(p.Readable(s), n)) }

// block is a text of others on lines of its own.
func (p *writer) block(s string) { p.printf("%s\n", fence("text", p.Readable(s))) }

func (p *writer) facts() {
	s := p.Facts()
	p.printf("# Pawl session %s\n\n", p.code(s.Title, book.LongLine))
	p.printf("- Session: %s\n", p.code(string(s.ID), book.LongLine))
	p.printf("- Folder: %s\n", p.code(s.Folder, book.LongLine))
	p.printf("- Model: %s\n", p.code(s.Model, book.LongLine))
	p.printf("- Created: %s\n", book.Stamp(s.Created))
	p.printf("- Up to record %d", p.Upto)
	if !p.At.IsZero() {
		p.printf(", of %s", book.Stamp(p.At))
	}
	shells := ""
	if len(p.Shells) > 0 {
		shells = ", S1 the first shell: a command in the background"
	}
	p.printf("\n- Written by Pawl %s\n\n", p.code(p.Source.Version, book.LongLine))
	if p.Source.Bare {
		p.printf("%s\n\n", book.BareNote)
	}
	p.printf("Times are UTC. P1 is the main agent's first run, A2.1 the first run of the second subagent%s.\n\n", shells)
}

// openings writes under which versions and settings the session was driven.
func (p *writer) openings() {
	all := p.Openings()
	if len(all) == 0 {
		return
	}
	p.printf("## Versions and settings\n\n")
	for _, o := range all {
		p.printf("- %s\n", p.code(o.Facts(), book.LongLine))
		for _, line := range o.SettingLines() {
			p.printf("  - %s\n", p.code(line, book.LongLine))
		}
	}
	p.printf("\n")
}
