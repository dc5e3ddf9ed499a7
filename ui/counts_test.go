package ui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
	"pawl/internal/counttest"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// What the screen costs: see counttest.
const (
	mostPerToken    = 104    // allocations of a frame in which a token is new: 83 under the race detector, which empties pools, else 74
	mostPerSides    = 272    // of one in which a token is new on each of two sides: 218, else 187
	mostPerBeat     = 545    // of a frame in which five cards count on: 436, else 336
	mostPerScroll   = 1055   // of a frame in which another of 200 rows is selected: 842
	mostPerKilobyte = 495    // of Markdown that is drawn: 396
	mostWrites      = 62     // to the terminal while theAnswer comes, one a frame: 53
	mostBytes       = 18_500 // to the terminal while theAnswer comes, with the first frame: 16,050
)

func TestCostOfAFrame(t *testing.T) {
	s := crowded(t, 20_000)
	counttest.Allocations(t, "a frame in which nothing is new", 0, 1, func() { s.View() })
	counttest.Allocations(t, "a frame in which five cards count on", mostPerBeat, 1, func() {
		s.now = s.now.Add(time.Second)
		s.Update(terminal.Tick(s.now))
		s.View()
	})
}

// A token, on its way from the watch to a frame, wherever it stands in a paragraph.
func TestCostOfATokenOnTheScreen(t *testing.T) {
	s := newScreen(t, 120, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
	history(s, 20_000)
	step := s.runs.Latest(root).Step
	var text strings.Builder
	counttest.Allocations(t, "a token on the screen", mostPerToken, 60, func() {
		for range 60 {
			text.WriteString("token ")
			s.Update(progress(step, text.String()))
			s.View()
		}
		text.WriteString("\n\n")
	})
}

// A token on each of two sides is one picture, and the lines of both are kept between pictures.
func TestCostOfATokenOnEachSide(t *testing.T) {
	s := newScreen(t, 160, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
	history(s, 20_000)
	s.delegate("audit", true)
	step := s.runs.Latest(root).Step
	s.keys("tab")
	var text strings.Builder
	counttest.Allocations(t, "a token on each of two sides", mostPerSides, 60, func() {
		for range 60 {
			text.WriteString("token ")
			s.send(lifecycle.Updates{Progress: []lifecycle.Progress{
				{Session: root, Run: "r1", Step: step, Text: text.String()}, {Session: "audit", Run: "run audit", Step: 1, Text: text.String()},
			}})
			s.View()
		}
		text.Reset()
	})
}

// What is drawn of an answer goes by its length alone: a kilobyte of a long one costs what
// one of a short one does.
func TestCostOfAKilobyteOfMarkdown(t *testing.T) {
	p := draw.NewProse(draw.NewTheme(draw.Tint{Dark: true, Shades: draw.Many}), false)
	for _, kilobytes := range []int{14, 160} {
		text := everySort(kilobytes << 10)
		counttest.Allocations(t, fmt.Sprintf("a kilobyte of Markdown among %d", kilobytes), mostPerKilobyte, kilobytes, func() { p.Render(text, 118) })
	}
}

// everySort is so many bytes of an answer with blocks of every sort.
func everySort(bytes int) sanitize.Text {
	const piece = "## A heading\n\nSome words of *prose* with `code` and a [link](https://go.dev/doc) that go on for **long enough** to be wrapped somewhere, as prose is in answers.\n\n" +
		"- one item\n- another with `code`\n  - nested\n\n```go\nfunc a(x int) string {\n\treturn fmt.Sprint(\"x\", x) // done\n}\n```\n\n" +
		"| a | b |\n|---|--:|\n| refund.go | 12 |\n| ledger.go | 3 |\n\n"
	return sanitize.Clean(strings.Repeat(piece, bytes/len(piece)+1)[:bytes])
}

// meter is a terminal that counts what is written to it.
type meter struct {
	mu            sync.Mutex
	writes, bytes int
}

func (m *meter) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes, m.bytes = m.writes+1, m.bytes+len(b)
	return len(b), nil
}

func (m *meter) read() (writes, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.writes, m.bytes
}

// theAnswer is two seconds of Markdown with code, at 200 tokens of four bytes a second.
const tokensASecond = 200

var theAnswer = strings.Repeat("Some *prose* that runs on for a while, as answers do, with `names` in it.\n\n```go\nfunc add(a, b int) int {\n\treturn a + b\n}\n```\n\n- a point\n- another\n\n", 12)[:4*tokensASecond*2]

// theSpeaker is a session of which a watch tells an answer that comes with time: like the
// supervisor's, the newest of it whenever the screen is free.
type theSpeaker struct {
	route
	before []lifecycle.Record
	done   chan struct{}
}

func (a *theSpeaker) Watch(ctx context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, fn func(lifecycle.Updates)) error {
	fn(lifecycle.Updates{Records: a.before})
	begun := time.Now()
	for said := 0; said < len(theAnswer); {
		<-time.After(time.Until(begun.Add(time.Duration(said/4+1) * time.Second / tokensASecond)))
		said = min(4*int(time.Since(begun)*tokensASecond/time.Second), len(theAnswer))
		fn(progress(1, theAnswer[:said]))
	}
	close(a.done)
	<-ctx.Done()
	return context.Cause(ctx)
}

// outlay says what a whole screen writes while it shows that answer, in virtual time.
func outlay(t *testing.T, before []lifecycle.Record) (writes, bytes int) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := typist(t)
		ctx, leave := context.WithCancel(t.Context())
		m, a := &meter{}, &theSpeaker{before: before, done: make(chan struct{})}
		ended := make(chan error, 1)
		go func() {
			_, err := Run(ctx, Options{
				Route: a, Snapshot: lifecycle.Snapshot{Root: root}, In: in, Out: m,
				Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: 120, Height: 40,
			})
			ended <- err
		}()
		<-a.done
		<-time.After(time.Second)
		synctest.Wait()
		writes, bytes = m.read()
		leave()
		require.NoError(t, <-ended)
	})
	return writes, bytes
}

// One frame is one write, twenty a second where nothing but the answer and the clock moves, and only what is new of it.
func TestCostOfAnAnswerInWritesAndBytes(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 120, 40)
	s.ask("go")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.delegate(name, true)
	}
	writes, bytes := outlay(t, s.logged())
	counttest.AtMost(t, "writes of an answer beside five cards", mostWrites, float64(writes))
	counttest.AtMost(t, "bytes of an answer beside five cards", mostBytes, float64(bytes))
}

// A key that scrolls the dashboard draws the rows in sight: with a hundred more runs it costs
// little more than with a hundred.
func TestCostOfScrollingManyRuns(t *testing.T) {
	s := twoHundredRuns(t, 120, 40)
	counttest.Allocations(t, "a key on a dashboard of 200 runs", mostPerScroll, 20, func() {
		for range 10 {
			s.Update(key("down"))
			s.View()
		}
		for range 10 {
			s.Update(key("up"))
			s.View()
		}
	})
}
