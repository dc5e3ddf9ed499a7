package formats

import (
	"fmt"
	"slices"
	"strings"
)

// Format is a way to write a session down. The value is the flag's.
type Format string

// The formats.
const (
	JSON     Format = "json"  // for programs: JSON
	Markdown Format = "md"    // for people: Markdown
	HTML     Format = "html"  // for people: one page with a picture of all runs
	Trace    Format = "trace" // for Perfetto: Chrome's trace events
	Patch    Format = "patch" // for git: what was changed in files
)

// All lists them, the most readable first.
func All() []Format { return []Format{Markdown, HTML, JSON, Trace, Patch} }

// Options are how a session is written down.
type Options struct {
	Format Format // empty where nobody has said: a caller decides before it writes
	// Brief keeps an export for people to one page: what was asked, who did what, how
	// each ended and what it cost.
	Brief bool
	// NoContent leaves the structure alone: every text of the session is replaced by
	// how long it is.
	NoContent bool
}

// Check says in one line why nothing can be written with these options; nil: it can.
func (o Options) Check() error {
	var names, people []string
	for _, format := range All() {
		names = append(names, string(format))
		if format.ForPeople() {
			people = append(people, string(format))
		}
	}
	switch {
	case !slices.Contains(All(), o.Format):
		return fmt.Errorf("there is no export format %q: the formats are %s", string(o.Format), strings.Join(names, ", "))
	case o.Brief && !o.Format.ForPeople():
		return fmt.Errorf("brief works only with %s", strings.Join(people, " or "))
	}
	return nil
}

// Purpose is what a format is good for, in a few words.
func (f Format) Purpose() string {
	switch f {
	case Markdown:
		return "for reading and pasting"
	case HTML:
		return "one page, with a picture of all runs"
	case JSON:
		return "for programs, all of it"
	case Trace:
		return "for Perfetto: what ran when, and what led to what"
	case Patch:
		return "what it changed in files, for git apply"
	}
	return ""
}

// ForPeople says that a format is for reading: that it can be brief.
func (f Format) ForPeople() bool {
	return f == Markdown || f == HTML
}

// Of is the format whose files end as this name does; Markdown for any other end.
func Of(path string) Format {
	found, longest := Markdown, 0
	for _, format := range All() {
		ending := "." + format.Ending()
		if strings.HasSuffix(path, ending) && len(ending) > longest {
			found, longest = format, len(ending)
		}
	}
	return found
}

// Ending is that of a file's name, without the dot. A trace is JSON too: its ending tells
// it from an export as JSON in the same folder.
func (f Format) Ending() string {
	if f == Trace {
		return "trace.json"
	}
	return string(f)
}
