package picturetest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Film is what a terminal showed over a time. Its picture moves without a script: each line that
// was ever shown is in it once, and style sheets say when it is seen.
//
//	Add(screen, when) ──► frames ──► per row: line ──► the times at which it stood there
//	                                                    └──► one animation for all lines with these times
type Film struct {
	frames []frame
	began  time.Duration
	poster int
}

// frame is what was shown from a time on.
type frame struct {
	screen Screen
	at     time.Duration
}

// shortest is the shortest time that a frame stands: what is shown sooner takes its place.
const shortest = 240 * time.Millisecond

// Add adds what is shown from a time on, unless it was shown already. The film begins with the
// first of them.
func (f *Film) Add(s Screen, at time.Duration) {
	n := len(f.frames)
	if n == 0 {
		f.began = at
	}
	at -= f.began
	switch {
	case n > 0 && f.frames[n-1].same(s):
	case n > 0 && at-f.frames[n-1].at < shortest:
		f.frames[n-1].screen = s
	default:
		f.frames = append(f.frames, frame{s, at})
	}
}

// Poster makes the last frame the one that is seen where pictures do not move, or nobody wants
// them to.
func (f *Film) Poster() { f.poster = len(f.frames) - 1 }

func (f *frame) same(s Screen) bool {
	return f.screen.width == s.width && slices.EqualFunc(f.screen.rows, s.rows, slices.Equal[[]cell])
}

// shown is a line that stood in a row, and when: in which frames.
type shown struct {
	y    int
	line []cell
	in   []bool
}

// lines are all lines that were shown, in the order of their rows.
func (f *Film) lines() []*shown {
	var all []*shown
	for y := range f.frames[0].screen.rows {
		first := len(all)
		for i, frame := range f.frames {
			line := frame.screen.rows[y]
			at := slices.IndexFunc(all[first:], func(s *shown) bool { return slices.Equal(s.line, line) })
			if at < 0 {
				at = len(all) - first
				all = append(all, &shown{y: y, line: line, in: make([]bool, len(f.frames))})
			}
			all[first+at].in[i] = true
		}
	}
	return all
}

// SVG is the film as a picture that moves, over and over; the last frame stands for a while.
func (f *Film) SVG(on Ground, last time.Duration) string {
	total := f.frames[len(f.frames)-1].at + last
	d, names := newDrawing(on), map[string]string{}
	// Of rules that weigh the same the later one holds, so these come first.
	d.rule(".f{visibility:hidden;animation:%.2fs step-end infinite}.p{visibility:visible}", total.Seconds())
	for _, line := range f.lines() {
		drawn := d.row(line.line, line.y)
		if drawn == "" || !slices.Contains(line.in, false) {
			d.body.WriteString(drawn)
			continue
		}
		times := f.keyframes(line.in, total)
		name, known := names[times]
		if !known {
			name = fmt.Sprintf("k%d", len(names))
			names[times] = name
			d.rule("@keyframes %s{%s}.%[1]s{animation-name:%[1]s}", name, times)
		}
		if line.in[f.poster] {
			name += " p"
		}
		fmt.Fprintf(&d.body, `<g class="f %s">%s</g>`+"\n", name, drawn)
	}
	d.rule("@media (prefers-reduced-motion:reduce){.f{animation:none}}")
	return d.document(f.frames[0].screen)
}

// keyframes say when a line is seen.
func (f *Film) keyframes(in []bool, total time.Duration) string {
	var hidden, visible []string
	for i, frame := range f.frames {
		if i > 0 && in[i] == in[i-1] {
			continue
		}
		at := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", 100*frame.at.Seconds()/total.Seconds()), "0"), ".") + "%"
		if in[i] {
			visible = append(visible, at)
		} else {
			hidden = append(hidden, at)
		}
	}
	return strings.Join(hidden, ",") + "{visibility:hidden}" + strings.Join(visible, ",") + "{visibility:visible}"
}
