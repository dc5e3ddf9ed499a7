package markdown

import (
	"pawl/export/book"
	"pawl/lifecycle"
)

// denials is the table of what was not allowed, by whom and why, and whether a person
// granted it later. Without any there is none.
func (p *writer) denials() {
	begun := false
	for _, run := range p.Runs {
		for _, d := range run.Denials {
			if !begun {
				p.printf("## What was denied\n\n| When | Run | Tool | What | By | Why | Granted later |\n| --- | --- | --- | --- | --- | --- | --- |\n")
				begun = true
			}
			p.printf("| %s | %s | %s | %s | %s | %s | %s |\n", book.Stamp(d.At), p.Name(run.ID), p.cell(d.Tool, book.LongCell),
				p.cell(d.Subject, book.LongLine), p.cell(d.By, book.LongCell), p.cell(d.Reason, book.LongLine), p.granted(run, d))
		}
	}
	if begun {
		p.printf("\n")
	}
}

// granted says when a person allowed what had been denied, and which run was told.
func (p *writer) granted(run lifecycle.Run, d lifecycle.Denial) string {
	if !d.LiftedAt.IsZero() {
		return book.Stamp(d.LiftedAt) + ", while it ran"
	}
	for _, later := range p.Runs[p.Index[run.ID]+1:] {
		if later.Session != run.Session || !d.Grantable() {
			continue
		}
		for _, lifted := range later.Lifted {
			if lifted.Deed == d.Deed() {
				return book.Stamp(lifted.At) + ", with " + p.Name(later.ID)
			}
		}
	}
	return "no"
}
