package export

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"pawl/export/book"
	"pawl/export/html"
	"pawl/export/jsondoc"
	"pawl/export/markdown"
	"pawl/export/redact"
	"pawl/export/trace"
	"pawl/lifecycle"
)

// Format is a way to write a session down. The value is the flag's.
type Format string

// The formats.
const (
	FormatJSON     Format = "json"  // for programs: JSON
	FormatMarkdown Format = "md"    // for people: Markdown
	FormatHTML     Format = "html"  // for people: one page with a picture of all runs
	FormatTrace    Format = "trace" // for Perfetto: Chrome's trace events
)

// Formats lists them, the most readable first.
func Formats() []Format { return []Format{FormatMarkdown, FormatHTML, FormatJSON, FormatTrace} }

// Manner is how a session is written down.
type Manner struct {
	Format Format
	// Brief keeps an export for people to one page: what was asked, who did what, how
	// each ended and what it cost.
	Brief bool
	// NoContent leaves the structure alone: every text of the session is replaced by
	// how long it is.
	NoContent bool
}

// Check says in one line why nothing can be written in this manner; nil: it can.
func (m Manner) Check() error {
	var names, people []string
	for _, format := range Formats() {
		names = append(names, string(format))
		if format.forPeople() {
			people = append(people, string(format))
		}
	}
	switch {
	case !slices.Contains(Formats(), m.Format):
		return fmt.Errorf("there is no export format %q: the formats are %s", string(m.Format), strings.Join(names, ", "))
	case m.Brief && !m.Format.forPeople():
		return fmt.Errorf("brief is for people: use %s", strings.Join(people, " or "))
	}
	return nil
}

// forPeople says that a format is for reading.
func (f Format) forPeople() bool {
	switch f {
	case FormatMarkdown, FormatHTML:
		return true
	case FormatJSON, FormatTrace:
		return false
	}
	return false
}

// FormatOf is the format whose files end as this name does; Markdown for any other end.
func FormatOf(path string) Format {
	found, longest := FormatMarkdown, 0
	for _, format := range Formats() {
		ending := strings.TrimPrefix(Name("", format), "pawl-")
		if strings.HasSuffix(path, ending) && len(ending) > longest {
			found, longest = format, len(ending)
		}
	}
	return found
}

// Write writes a root session as it stood when record upto was the newest. The
// error of a manner in which nothing can be written is Check's.
func Write(ctx context.Context, w io.Writer, as Manner, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	if err := as.Check(); err != nil {
		return err
	}
	if as.NoContent {
		var err error
		if src, root, err = redact.Source(ctx, src, root, upto); err != nil {
			return fmt.Errorf("export session %s as %s: %w", root, as.Format, err)
		}
	}
	switch as.Format {
	case FormatJSON:
		return jsondoc.Write(ctx, w, src, root, upto)
	case FormatMarkdown:
		return markdown.Write(ctx, w, src, root, upto, as.Brief)
	case FormatHTML:
		return html.Write(ctx, w, src, root, upto, as.Brief)
	case FormatTrace:
		return trace.Write(ctx, w, src, root, upto)
	}
	return as.Check()
}

// traceEnding is the ending of a trace's file: it is JSON, and another one than an export
// as JSON in the same folder.
const traceEnding = "trace.json"

// ending is that of a file's name.
func (f Format) ending() string {
	if f == FormatTrace {
		return traceEnding
	}
	return string(f)
}

// Name is the name of an exported file: pawl-<id>.md.
func Name(root lifecycle.SessionID, format Format) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '-', r == '_':
			return r
		}
		return '_' // an id that came from a file could hold a path
	}, string(root))
	return "pawl-" + id + "." + format.ending()
}
