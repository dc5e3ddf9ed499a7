package process

import (
	"strings"

	"pawl/internal/words"
	"pawl/tools/outputs"
)

// Output is what a program wrote: its start and its end where it wrote more than
// can be kept.
type Output struct {
	Head  string
	Tail  string       // follows Head, with a gap where Total is more than both
	Total int64        // bytes written
	Kept  outputs.Kept // where the whole is that Head and Tail do not have
}

// Text gives the output as valid text in about limit characters: all of it, or
// its start and its end with a line between them that says what is missing, and
// where it is kept. cut is the number of bytes that are left out. limit is at most
// 30,000: more is not held.
func (o Output) Text(limit int) (text string, cut int64) {
	front, back := o.Head, o.Tail
	whole := int64(len(o.Head)+len(o.Tail)) == o.Total
	if whole {
		all := o.Head + o.Tail
		if words.First(all, limit) == all {
			return words.Valid(all), 0
		}
		front, back = all, all
	}
	front, back = words.First(front, limit/2), words.Last(back, limit/2)
	cut = o.Total - int64(len(front)+len(back))
	return words.Valid(front) + "\n" + o.Kept.Gap(cut, o.Total) + "\n" + words.Valid(back), cut
}

// Since is the output without its first given bytes, as far as the rest is kept.
func (o Output) Since(given int64) Output {
	given = min(given, o.Total)
	rest := Output{Total: o.Total - given, Kept: o.Kept}
	rest.Head = o.Head[min(given, int64(len(o.Head))):]
	first := o.Total - int64(len(o.Tail)) // the place of the tail
	rest.Tail = o.Tail[min(max(0, given-first), int64(len(o.Tail))):]
	return rest
}

// End is the end of the output as valid text, in about limit characters, behind a line
// that says what is missing before it.
func (o Output) End(limit int) string {
	all := o.Tail
	if int64(len(o.Head)+len(o.Tail)) == o.Total {
		all = o.Head + o.Tail
	}
	end := words.Last(all, limit)
	text := strings.TrimRight(words.Valid(end), "\n")
	if left := o.Total - int64(len(end)); left > 0 {
		return o.Kept.Gap(left, o.Total) + "\n" + text
	}
	return text
}

// KeptIn is the output with its whole kept in store, where Text or End will cut it at a
// limit and it was short enough to be held until now. tool is whose output it is.
func (o Output) KeptIn(store *outputs.Store, tool string, limit int) Output {
	if all := o.Head + o.Tail; int64(len(all)) == o.Total && words.First(all, limit) != all {
		o.Kept = store.Keep(tool, all)
	}
	return o
}
