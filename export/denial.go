package export

import "pawl/lifecycle"

// denials is the table of what was not allowed, by whom and why, and whether a person
// granted it later. Without any there is none.
func (p *paper) denials() {
	begun := false
	for _, run := range p.runs {
		for _, d := range run.Denials {
			if !begun {
				p.printf("## What was denied\n\n| When | Run | Tool | What | By | Why | Granted later |\n| --- | --- | --- | --- | --- | --- | --- |\n")
				begun = true
			}
			p.printf("| %s | %s | %s | %s | %s | %s | %s |\n", stamp(d.At), p.name(run.ID), p.cell(d.Tool, longCell),
				p.cell(d.Subject, longLine), p.cell(d.By, longCell), p.cell(d.Reason, longLine), p.granted(run, d))
		}
	}
	if begun {
		p.printf("\n")
	}
}

// granted says when a person allowed what had been denied, and which run was told.
func (p *paper) granted(run lifecycle.Run, d lifecycle.Denial) string {
	if !d.LiftedAt.IsZero() {
		return stamp(d.LiftedAt) + ", while it ran"
	}
	for _, later := range p.runs[p.index[run.ID]+1:] {
		if later.Session != run.Session || !d.Grantable() {
			continue
		}
		for _, lifted := range later.Lifted {
			if lifted.Deed == d.Deed() {
				return stamp(lifted.At) + ", with " + p.name(later.ID)
			}
		}
	}
	return "no"
}
