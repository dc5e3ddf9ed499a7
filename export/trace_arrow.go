package export

// arrow begins one at the innermost slice of a thread and gives its number; 0 where there
// is none. Readers join both ends by number and name, and take the slice that is open
// where each stands in the file.
func (t *tracer) arrow(from *thread, name string) int {
	if from == nil || len(from.open) == 0 {
		return 0
	}
	t.arrows++
	t.put(from, traceEvent{Name: name, Sort: arrowSort, Phase: phaseFrom, Arrow: t.arrows})
	return t.arrows
}

// arrive ends an arrow at the innermost slice of a thread. Number 0 is none.
func (t *tracer) arrive(at *thread, name string, number int) {
	if number == 0 {
		return
	}
	t.put(at, traceEvent{Name: name, Sort: arrowSort, Phase: phaseTo, Arrow: number, Bind: bindEnclosing})
}

// arrowSort is the sort of all arrows.
const arrowSort = "delegation"
