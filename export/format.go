package export

import (
	"context"
	"fmt"
	"io"
	"strings"

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

// Write writes a root session as it stood when record upto was the newest. The
// error of an unknown format names those there are.
func Write(ctx context.Context, w io.Writer, as Manner, src Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	switch as.Format {
	case FormatJSON:
		return JSON(ctx, w, src, root, upto)
	case FormatMarkdown:
		return Markdown(ctx, w, src, root, upto)
	case FormatHTML:
		return HTML(ctx, w, src, root, upto)
	case FormatTrace:
		return Trace(ctx, w, src, root, upto)
	}
	return fmt.Errorf("there is no export format %q: the formats are %s, %s, %s and %s", as.Format, FormatMarkdown, FormatHTML, FormatJSON, FormatTrace)
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
