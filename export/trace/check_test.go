package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pawl/export/book"
)

// drawn is a trace as a reader draws it: what its events come to, by the rules of the
// trace event format. Rules that a trace breaks are faults.
type drawn struct {
	Events []traceEvent   `json:"traceEvents"`
	Unit   string         `json:"displayTimeUnit"`
	Other  map[string]any `json:"otherData"`

	slices  []*drawnSlice
	marks   []traceEvent
	arrows  map[string][2]*drawnSlice // by name and number, from and to
	curves  map[string][]traceEvent
	names   map[string]string // of processes and threads, by number
	threads map[int]*drawnThread
	faults  []error
}

type drawnSlice struct {
	traceEvent
	end   int64
	says  facts // of its end
	in    *drawnSlice
	ended bool
}

// path is what a slice stands in, and it.
func (s *drawnSlice) path() string {
	if s.in == nil {
		return s.Name
	}
	return s.in.path() + " > " + s.Name
}

type drawnThread struct {
	process int
	open    []*drawnSlice
}

// drawTrace reads a trace as Perfetto does: events in the order of their times, of those
// of one time the ends first and the others in the order of the file.
func drawTrace(out []byte) *drawn {
	d := &drawn{arrows: map[string][2]*drawnSlice{}, curves: map[string][]traceEvent{}, names: map[string]string{}, threads: map[int]*drawnThread{}}
	reader := json.NewDecoder(bytes.NewReader(out))
	reader.DisallowUnknownFields()
	if err := reader.Decode(d); err != nil {
		d.faults = append(d.faults, err)
		return d
	}
	d.require(d.Unit == "ms", "the unit is %q", d.Unit)
	at := map[int]int64{}
	for _, e := range d.Events {
		if e.Phase != phaseName && e.Phase != phaseCounter {
			d.require(e.At > at[e.Thread] || e.At == 0, "time does not go on on thread %d: %+v", e.Thread, e)
			at[e.Thread] = e.At
		}
	}
	slices.SortStableFunc(d.Events, func(a, b traceEvent) int { return cmp.Or(cmp.Compare(a.At, b.At), endsFirst(a)-endsFirst(b)) })
	for _, e := range d.Events {
		d.draw(e)
	}
	d.atRest()
	return d
}

func endsFirst(e traceEvent) int {
	if e.Phase == phaseEnd {
		return 0
	}
	return 1
}

func (d *drawn) require(holds bool, format string, args ...any) {
	if !holds {
		d.faults = append(d.faults, fmt.Errorf(format, args...))
	}
}

func (d *drawn) err() error { return errors.Join(d.faults...) }

func (d *drawn) draw(e traceEvent) {
	d.require(e.Process > 0 && e.Thread > 0 && e.Process != e.Thread && e.At >= 0, "numbers: %+v", e)
	on := d.threads[e.Thread]
	if on == nil {
		on = &drawnThread{process: e.Process}
		d.threads[e.Thread] = on
	}
	d.require(on.process == e.Process, "thread %d is one of two processes: %+v", e.Thread, e)
	switch e.Phase {
	case phaseName:
		d.name(e)
	case phaseBegin:
		s := &drawnSlice{traceEvent: e, in: on.innermost()}
		d.require(e.Name != "" && e.Category != "", "a slice without a name: %+v", e)
		d.slices, on.open = append(d.slices, s), append(on.open, s)
	case phaseEnd:
		if s := on.innermost(); s != nil {
			s.end, s.says, s.ended = e.At, e.Facts, true
			on.open = on.open[:len(on.open)-1]
			return
		}
		d.require(false, "an end of nothing: %+v", e)
	case phaseInstant:
		d.require(e.Scope == scopeThread && e.Name != "", "an instant: %+v", e)
		d.marks = append(d.marks, e)
	case phaseCounter:
		for name, value := range e.Facts {
			_, is := value.(float64)
			d.require(is, "%s of %+v is no number", name, e)
		}
		d.curves[e.Name] = append(d.curves[e.Name], e)
	case phaseFrom, phaseTo:
		d.arrow(e, on.innermost())
	default:
		d.require(false, "no phase of a trace: %+v", e)
	}
}

func (on *drawnThread) innermost() *drawnSlice {
	if len(on.open) == 0 {
		return nil
	}
	return on.open[len(on.open)-1]
}

func (d *drawn) name(e traceEvent) {
	switch e.Name {
	case "process_name", "thread_name":
		name, _ := e.Facts["name"].(string)
		number := fmt.Sprint(strings.TrimSuffix(e.Name, "_name"), " ", e.Thread)
		if e.Name == "process_name" {
			number = fmt.Sprint("process ", e.Process)
		}
		d.require(name != "" && d.names[number] == "", "a name: %+v", e)
		d.names[number] = name
	case "process_labels", "process_sort_index", "thread_sort_index":
	default:
		d.require(false, "no name of the format: %+v", e)
	}
}

func (d *drawn) arrow(e traceEvent, at *drawnSlice) {
	number := fmt.Sprint(e.Name, " ", e.Category, " ", e.Arrow)
	ends := d.arrows[number]
	d.require(at != nil, "an arrow's end stands in no slice: %+v", e)
	if e.Phase == phaseFrom {
		d.require(ends[0] == nil, "two arrows have one number: %+v", e)
		ends[0] = at
	} else {
		d.require(ends[0] != nil && ends[1] == nil && e.Bind == bindEnclosing, "an arrow that never began, or ends twice: %+v", e)
		ends[1] = at
	}
	d.arrows[number] = ends
}

// atRest looks at what only the whole trace tells.
func (d *drawn) atRest() {
	for _, s := range d.slices {
		d.require(s.ended, "a slice has no end: %+v", s.traceEvent)
		d.require(s.in == nil || s.At >= s.in.At && s.end <= s.in.end, "a slice stands out of the one it is in: %s", s.path())
	}
	for number, ends := range d.arrows {
		d.require(ends[1] != nil, "arrow %s ends nowhere", number)
	}
	for id, on := range d.threads {
		d.require(d.names[fmt.Sprint("thread ", id)] != "", "thread %d has no name", id)
		d.require(d.names[fmt.Sprint("process ", on.process)] != "", "process %d has no name", on.process)
	}
	for _, e := range d.Events {
		d.tame(e.Name)
		for _, value := range e.Facts {
			if text, is := value.(string); is {
				d.tame(text)
			}
		}
	}
}

// tame requires a text that is short and does nothing.
func (d *drawn) tame(text string) {
	d.require(len([]rune(text)) <= book.LongLine+1, "a text is too long: %q", text)
	for _, r := range text {
		d.require(!unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp), "%U in %q", r, text)
	}
}

// threadOf is the name of the thread of a slice.
func (d *drawn) threadOf(s *drawnSlice) string { return d.names[fmt.Sprint("thread ", s.Thread)] }

// arrowWords are the arrows of a name, each from where to where.
func (d *drawn) arrowWords(name string) (all []string) {
	for number, ends := range d.arrows {
		if strings.HasPrefix(number, name+" ") {
			all = append(all, fmt.Sprintf("%s: %s -> %s: %s", d.threadOf(ends[0]), ends[0].Name, d.threadOf(ends[1]), ends[1].path()))
		}
	}
	slices.Sort(all)
	return all
}

// encodedKey is what a slice says when it begins, and where.
func encodedKey(s *drawnSlice) string {
	raw, err := json.Marshal([]any{s.Thread, s.Name, s.Facts})
	if err != nil {
		panic(err)
	}
	return string(raw)
}
