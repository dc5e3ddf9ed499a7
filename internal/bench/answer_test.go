package bench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// lastLine ends an answer: a word that is on the screen only when all of it is.
const lastLine = "жконецж"

// BenchmarkAimAnswer has 20,000 tokens said at once, 80 KB of Markdown with code, in each
// protocol.
func BenchmarkAimAnswer(b *testing.B) {
	for _, p := range modeltest.Protocols() {
		answer := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(20000), "\n\n"+lastLine)})}
		var times, work, peaks []float64
		for range benchRuns {
			x := serveBench(b, p, func(benchAsked) benchAnswer { return answer }).open(b, b.TempDir())
			cost := x.askFor(lastLine)
			times, work, peaks = append(times, cost.wall.Seconds()), append(work, cost.work.Seconds()), append(peaks, x.peak())
			x.leave()
		}
		measured(b, aimAnswer, p.Name, times...)
		measured(b, aimAnswerWork, p.Name, work...)
		measured(b, aimAnswerMemory, p.Name, peaks...)
	}
}

// BenchmarkAimLaterAnswer has the same said eleven times in one session.
func BenchmarkAimLaterAnswer(b *testing.B) {
	p := modeltest.Protocols()[0]
	var answers []benchAnswer
	for i := range 11 {
		answers = append(answers, benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(20000), "\n\n"+lastLineOf(i))})})
	}
	var ratios, peaks []float64
	for range benchRuns {
		x := serveBench(b, p, func(a benchAsked) benchAnswer { return answers[a.turn] }).open(b, b.TempDir())
		first := x.askFor(lastLineOf(0))
		var last cost
		for i := 1; i < 11; i++ {
			last = x.askFor(lastLineOf(i))
		}
		ratios, peaks = append(ratios, last.wall.Seconds()/first.wall.Seconds()), append(peaks, x.peak())
		x.leave()
	}
	measured(b, aimLater, "", ratios...)
	measured(b, aimLaterMemory, "", peaks...)
}

func lastLineOf(i int) string { return lastLine + fmt.Sprint(100+i) }

// BenchmarkAimPacedAnswer has 200 tokens a second said for 10 s, to a parent that is alone, and to
// one with five subagents in the background whose lines say what they write, ten times a second, and
// show it in bars. Each run is alone on the machine, as a person's is: side by side they cost less,
// for the processors never rest.
func BenchmarkAimPacedAnswer(b *testing.B) {
	p := modeltest.Protocols()[0]
	const end = "жpacedж"
	answer := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(2000), "\n\n"+end)}), every: 5 * time.Millisecond}
	slow := 100 * time.Millisecond
	script := delegating(p, modeltest.Launch, benchChildren, modeltest.Spell(p, modeltest.Reply{Text: tokens(600)}), nil, &slow)
	measure := func(open func() *tube, row, rowBytes string) {
		var work, bytes []float64
		for range benchRuns {
			x := open()
			c := x.askFor(end)
			work, bytes = append(work, c.work.Seconds()), append(bytes, float64(c.written)/1000)
			x.leave()
		}
		measured(b, row, "", work...)
		measured(b, rowBytes, "", bytes...)
	}
	measure(func() *tube {
		return serveBench(b, p, func(benchAsked) benchAnswer { return answer }).open(b, b.TempDir())
	}, aimPaced, aimPacedBytes)
	measure(func() *tube {
		return serveBench(b, p, func(a benchAsked) benchAnswer {
			if a.parent && a.turn == 3 {
				return answer
			}
			return script(a)
		}).begin(b, b.TempDir(), benchChildren)
	}, aimBeside, aimBesideBytes)
}

// cost is what one answer took, from the key that asked for it to its last line: of
// Pawl and all that it started.
type cost struct {
	wall, work time.Duration
	written    int // bytes to the terminal
}

// askFor asks for an answer and waits until a text of it is on the screen.
func (x *tube) askFor(text string) cost {
	x.await(alternateScreen, 0)
	x.settle(300 * time.Millisecond) // the start has a row of its own
	from, spent := x.written(), processorTimes(x.cmd.Process.Pid)
	x.press("go")
	begun := x.press(harness.KeyEnter)
	seen := x.await(text, from)
	c := cost{wall: seen.at.Sub(begun), work: processorTimes(x.cmd.Process.Pid) - spent, written: x.written() - from}
	x.settle(200 * time.Millisecond)
	return c
}

// peak is the most memory that each of its processes had, together.
func (x *tube) peak() float64 { return memoryOf(x.cmd.Process.Pid, "VmHWM") }

// tokens are pieces of Markdown with code, about four bytes each. No two paragraphs are
// the same, as in an answer.
func tokens(n int) []string {
	var text strings.Builder
	for i := 0; text.Len() < 4*n; i++ {
		fmt.Fprintf(&text, "Some *prose* of part %d that runs on for a while, as answers do, with `name%d` in it.\n\n", i, i*i)
		fmt.Fprintf(&text, "```go\nfunc add%d(a, b int) int {\n\treturn a + %d*b\n}\n```\n\n- a point about %d\n- another, about %d\n\n", i, i%97, i*3, i*7%1009)
	}
	whole := text.String()
	pieces := make([]string, n)
	for i := range pieces {
		pieces[i] = whole[4*i : 4*i+4]
	}
	return pieces
}
