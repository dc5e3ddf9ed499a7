package lifecycle

import (
	"fmt"
	"strings"
	"time"
)

// Two runs that change the same file at the same time silently undo each other's work. So the
// files that calls have written are kept while their runs work, and both runs are told of a
// second writer: a warning on each, and a line to each model at its next step. What a shell
// writes is not known.

// overlap is another run that has changed a file too.
type overlap struct {
	run  RunID
	file string
}

// writing is which files a run has changed, as far as its calls report it.
type writing struct {
	last   map[string]time.Time // when each file was last written
	warned map[overlap]bool
	told   []string // lines for its model, at its next step
}

// wrote notes that a run has changed a file, and warns it and every other run that
// has changed it while both worked, once for each pair and file. What one of them wrote
// before the other began is no overlap. The lock is held.
func (p *Port) wrote(d *tx, file string) error {
	if file == "" {
		return nil
	}
	own := d.run(p.id)
	for _, id := range p.t.open {
		other, run := p.t.runs[id], d.run(id)
		at, both := other.writing.last[file]
		if id == p.id || !both || run.State != StateRunning || at.Before(own.StartedAt) || p.h.writing.warned[overlap{id, file}] {
			continue
		}
		if err := d.overlapping(p.h, own, run, file); err != nil {
			return err
		}
		if err := d.overlapping(other, run, own, file); err != nil {
			return err
		}
	}
	p.h.writing.last[file] = d.time
	return nil
}

// overlapping warns a run of the other one.
func (d *tx) overlapping(h *handle, run, other Run, file string) error {
	h.writing.warned[overlap{other.ID, file}] = true
	name := strings.TrimPrefix(file, run.Folder+"/")
	h.writing.told = append(h.writing.told, fmt.Sprintf(
		"This was written by Pawl, not by a human: %s was also changed by %s, which is still at work. Read it again before you change it, and keep what the other one wrote.", name, called(other)))
	return d.apply(run.Session, run.ID, Warned{Kind: WarnWriteOverlap, Message: fmt.Sprintf("%s is also changed by %s", name, called(other))})
}

// called is how models are told of another run of their session.
func called(run Run) string {
	if !run.Child() {
		return "the main agent"
	}
	return fmt.Sprintf("the subagent %q", run.Description)
}

// tellOverlaps puts into the transcript what this run's model is told of other writers. The
// lock is held.
func (p *Port) tellOverlaps(d *tx) {
	for _, text := range p.h.writing.told {
		d.entries = append(d.entries, userEntry(p.session, p.id, Said{From: FromPawl, Text: text}))
	}
	p.h.writing.told = nil
}
