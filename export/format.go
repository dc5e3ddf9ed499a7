package export

import (
	"fmt"
	"slices"
	"strings"
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
		ending := "." + format.ending()
		if strings.HasSuffix(path, ending) && len(ending) > longest {
			found, longest = format, len(ending)
		}
	}
	return found
}

// ending is that of a file's name, without the dot. A trace is JSON too: its ending tells
// it from an export as JSON in the same folder.
func (f Format) ending() string {
	if f == FormatTrace {
		return "trace.json"
	}
	return string(f)
}
