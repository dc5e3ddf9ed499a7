package changes

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// Ink is what a piece of the text is, for who draws it in colours.
type Ink int

// The inks.
const (
	Plain   Ink = iota
	Strong      // a heading
	Quiet       // beside the point
	Came        // an added line
	Went        // a removed line
	Hunk        // where a hunk begins
	Caution     // what is not known or not covered
)

// Text writes what the session changed for people to read: by prompt, by run and by file, then
// each file's difference. paint draws a piece of a line, and may be nil.
func (r *Report) Text(ctx context.Context, to io.Writer, paint func(Ink, string) string) error {
	if paint == nil {
		paint = func(_ Ink, text string) string { return text }
	}
	w := &textWriter{Report: r, buf: bufio.NewWriter(to), paint: paint, from: Renamed(r.Net)}
	w.line(Strong, "%s", words.CutLine(r.Facts().Title, book.LongLine))
	w.line(Quiet, "session %s, up to record %d, in %s; times are UTC", r.Facts().ID, r.Upto, r.Source.Session.Folder)
	if r.Empty() {
		w.line(Plain, "no file was changed")
		return w.buf.Flush()
	}
	for _, write := range []func(context.Context) error{w.prompts, w.unknown, w.differences} {
		if err := write(ctx); err != nil {
			return err
		}
	}
	return w.buf.Flush()
}

// textWriter is a text on its way out. Its buffer keeps the first error.
type textWriter struct {
	*Report
	buf   *bufio.Writer
	paint func(Ink, string) string
	from  Renames
}

func (w *textWriter) line(ink Ink, format string, args ...any) {
	_, _ = w.buf.WriteString(w.paint(ink, w.Readable(oneLine(fmt.Sprintf(format, args...)))) + "\n")
}

func (w *textWriter) prompts(ctx context.Context) error {
	for _, p := range w.Prompts {
		w.line(Plain, "")
		w.line(Strong, "%s", w.PromptWords(p))
		for _, act := range p.Acts {
			w.line(Plain, "  %s", w.ActWords(act))
			if err := w.table(ctx, act); err != nil {
				return err
			}
		}
	}
	return nil
}

// PromptWords are a prompt in one line.
func (r *Report) PromptWords(p Prompt) string {
	if p.Point.Seq == 0 {
		return "Before the first prompt"
	}
	return book.Clock(p.Point.Time) + "  " + words.CutLine(p.Point.Text, book.LongLine)
}

// ActWords say in one line who did what follows.
func (r *Report) ActWords(a Act) string {
	if a.Says != "" {
		return a.Says
	}
	what := "main agent"
	if described := r.Describe(a.Run); described != "" {
		what = words.CutLine(described, book.LongCell)
	}
	if in := a.folder(); in != "" && in != r.Folder {
		what += ", in " + in
	}
	return r.Name(a.Run) + " " + what
}

// folder is that of all its files; empty if they are in several.
func (a Act) folder() string {
	for _, n := range a.Files {
		if n.Folder != a.Files[0].Folder {
			return ""
		}
	}
	return a.Files[0].Folder
}

// table is a list of files, a line each.
func (w *textWriter) table(ctx context.Context, a Act) error {
	from, widest, home := Renamed(a.Files), 0, a.folder()
	if home == "" {
		home = w.Folder
	}
	for _, n := range a.Files {
		widest = max(widest, min(utf8.RuneCountInString(NameOf(n, from, home)), book.LongCell))
	}
	for _, n := range a.Files {
		d, err := w.Read(ctx, n)
		if err != nil {
			return err
		}
		name := w.Readable(NameOf(n, from, home))
		pad := strings.Repeat(" ", max(0, widest-utf8.RuneCountInString(name)))
		_, _ = fmt.Fprintf(w.buf, "    %s %s%s  %s  %s\n", d.Kind.Letter(), name, pad, w.counts(d), w.paint(Quiet, w.Readable(d.By())))
	}
	return nil
}

// NameOf is a path, with that of what it was before if it was renamed, and with its folder where
// that is another one.
func NameOf(n files.Net, from Renames, home string) string {
	name := n.Path
	if old := from.Of(n); old != "" {
		name = old + " → " + name
	}
	if n.Folder != home {
		name += " in " + n.Folder
	}
	return oneLine(name)
}

// oneLine shows the line breaks that a name may have.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "␊") }

// counts are the lines that came and went, or why that is not known.
func (w *textWriter) counts(d Difference) string {
	if d.Gone != "" {
		return w.paint(Caution, w.Readable(d.Gone))
	}
	return w.paint(Came, fmt.Sprintf("+%d", d.Added)) + " " + w.paint(Went, fmt.Sprintf("−%d", d.Lost))
}

// By says by what a file was changed.
func (d Difference) By() string {
	var by []string
	seen := map[files.Source]bool{}
	for _, c := range d.Changes {
		if !seen[c.Source] {
			seen[c.Source] = true
			by = append(by, string(c.Source))
		}
	}
	said := strings.Join(by, ", ")
	if d.Binary {
		said += ", binary"
	}
	if len(d.Changes) == 1 && len(d.Changes[0].Beside) > 0 {
		said += ", perhaps another command's"
	}
	if d.Gap {
		said += ", with changes between that are not its own"
	}
	return said
}

func (w *textWriter) unknown(context.Context) error {
	if len(w.Unknown) > 0 {
		w.line(Plain, "")
	}
	for _, open := range w.Unknown {
		w.line(Caution, "%s", w.UnknownWords(open))
	}
	return nil
}

// UnknownWords say of which command it is not known what it changed.
func (r *Report) UnknownWords(open files.Unwatched) string {
	said := "Not all that a command of " + r.Name(open.Run) + " changed is known"
	if open.Folder != r.Folder {
		said += ", in " + open.Folder
	}
	return said + ": " + open.Why
}

// differences are what became of each file in all.
func (w *textWriter) differences(ctx context.Context) error {
	for _, n := range w.Net {
		d, err := w.Read(ctx, n)
		if err != nil {
			return err
		}
		w.line(Plain, "")
		w.line(Strong, "%s, %s by %s", NameOf(n, w.from, w.Folder), d.Kind, w.Writers(d))
		switch {
		case d.Gone != "":
			w.line(Caution, "%s", d.Remark())
		case d.Diff == "":
			w.line(Quiet, "%s", d.Remark())
		}
		for line := range strings.Lines(w.Readable(d.Diff)) { // as a whole: a secret may have several lines
			line = strings.TrimRight(line, "\r\n")
			_, _ = w.buf.WriteString(w.paint(inkOf(line), line) + "\n")
		}
	}
	return nil
}

// Remark says why a difference has no lines to show.
func (d Difference) Remark() string {
	switch {
	case d.Gone != "":
		return d.Gone
	case d.Kind == Mode:
		return fmt.Sprintf("mode %04o, before %04o", d.After.Mode, d.Before.Mode)
	case d.Kind == Same:
		return "it holds what it held before"
	case d.Before.Kind == lifecycle.FileNone && d.After.Kind != lifecycle.FileNone, d.After.Kind == lifecycle.FileNone:
		return "an empty file"
	}
	return "no line differs"
}

// Writers names the runs that changed a file.
func (r *Report) Writers(d Difference) string {
	var names []string
	seen := map[lifecycle.RunID]bool{}
	for _, c := range d.Changes {
		if !seen[c.Run] {
			seen[c.Run] = true
			names = append(names, r.Name(c.Run))
		}
	}
	return words.List(names)
}

func inkOf(line string) Ink {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, `\`):
		return Quiet
	case strings.HasPrefix(line, "@@"):
		return Hunk
	case strings.HasPrefix(line, "+"):
		return Came
	case strings.HasPrefix(line, "-"):
		return Went
	}
	return Plain
}
