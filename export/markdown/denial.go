package markdown

import (
	"pawl/export/book"
	"pawl/lifecycle"
)

// denials is the table of what was not allowed, by whom and why, and whether a person
// granted it later. Without any there is none.
func (w *writer) denials() {
	begun := false
	for _, run := range w.Runs {
		for _, d := range run.Denials {
			if !begun {
				w.printf("## What was denied\n\n| When | Run | Tool | What | By | Why | Granted later |\n| --- | --- | --- | --- | --- | --- | --- |\n")
				begun = true
			}
			w.printf("| %s | %s | %s | %s | %s | %s | %s |\n", book.Stamp(d.At), w.Name(run.ID), w.cell(d.Tool, book.LongCell),
				w.cell(d.Subject, book.LongLine), w.cell(string(d.By), book.LongCell), w.cell(d.Reason, book.LongLine), w.granted(run, d))
		}
	}
	if begun {
		w.printf("\n")
	}
}

// granted says when a person allowed what had been denied, and which run was told.
func (w *writer) granted(run lifecycle.Run, d lifecycle.Denial) string {
	if !d.LiftedAt.IsZero() {
		return book.Stamp(d.LiftedAt) + ", while it ran"
	}
	for _, later := range w.Runs[w.Index[run.ID]+1:] {
		if later.Session != run.Session || !d.Grantable() {
			continue
		}
		for _, lifted := range later.Lifted {
			if lifted.Deed == d.Deed() {
				return book.Stamp(lifted.At) + ", with " + w.Name(later.ID)
			}
		}
	}
	return "no"
}
