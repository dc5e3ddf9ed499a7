package trace

// arrow is an arrow that has begun; the zero value is none.
type arrow struct {
	number int
	name   string
	at     int64 // when it began
}

// arrowCategory is the category of all arrows.
const arrowCategory = "delegation"

// beginArrow begins an arrow at the innermost open slice of a thread; none if there is no slice.
// Readers match its ends by id, name and category, each to the slice that is open there.
func (t *tracer) beginArrow(from *thread, name string) arrow {
	if from == nil || len(from.open) == 0 {
		return arrow{}
	}
	t.arrows++
	a := arrow{number: t.arrows, name: name}
	a.at = t.put(from, traceEvent{Name: name, Category: arrowCategory, Phase: phaseFrom, Arrow: a.number})
	return a
}

// endArrow ends an arrow at the innermost open slice of a thread, no earlier than it began.
func (t *tracer) endArrow(on *thread, a arrow) {
	if a.number == 0 {
		return
	}
	on.at = max(on.at, a.at)
	t.put(on, traceEvent{Name: a.name, Category: arrowCategory, Phase: phaseTo, Arrow: a.number, Bind: bindEnclosing})
}
