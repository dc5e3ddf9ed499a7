package trace

// arrow is one that has begun; the zero value is none.
type arrow struct {
	number int
	name   string
	at     int64 // when it began
}

// arrowSort is the sort of all arrows.
const arrowSort = "delegation"

// depart begins an arrow at the innermost slice of a thread; none where there is no slice.
// Readers join its ends by number, name and sort, each to the slice that is open there.
func (t *tracer) depart(from *thread, name string) arrow {
	if from == nil || len(from.open) == 0 {
		return arrow{}
	}
	t.arrows++
	a := arrow{number: t.arrows, name: name}
	a.at = t.put(from, traceEvent{Name: name, Sort: arrowSort, Phase: phaseFrom, Arrow: a.number})
	return a
}

// arrive ends an arrow at the innermost slice of a thread, and not before it began.
func (t *tracer) arrive(on *thread, a arrow) {
	if a.number == 0 {
		return
	}
	on.at = max(on.at, a.at)
	t.put(on, traceEvent{Name: a.name, Sort: arrowSort, Phase: phaseTo, Arrow: a.number, Bind: bindEnclosing})
}
