package crash

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// Crash is one record before, while and after whose writing Pawl is killed.
type crash struct {
	record string
	nth    int    // the how manyth of the story
	story  string // that writes it
	with   string // a further fail point that the story needs
}

// crashes is the table: every record of the closed set, and those that matter most
// more than once.
//
//	workday  a parent without a screen: see its script
//	strict   the same, where nobody may be asked
//	stuck    a subagent that does not stop when it is told to
//	desk     a person at the screen
//	queue    a program over the real store: no key leads to these records yet
//	search   a model whose server searches the web, and says at the end what it cites
func crashes(t testing.TB) []crash {
	t.Helper()
	list := []crash{
		{record: "permission_asked", story: "strict"},
		{record: "permission_denied", story: "strict"},
		{record: "warned", story: "stuck", with: "worker=hang@2 "},
		{record: "detached", story: "desk"},
		{record: "permission_granted", story: "desk"},
		{record: "message_edited", story: "queue"},
		{record: "message_moved", story: "queue"},
		{record: "compacted", story: "queue"},
		{record: "searched", story: "search"},
	}
	for i := range list {
		list[i].nth = 1
	}
	// A person's acts: placing_test.go, and land_crash_test.go of the stories. What only a run on another
	// machine writes: the stories of machines.
	elsewhere := []string{"landed", "rewound", "placed"}
	for _, name := range eventNames(t) {
		if slices.Contains(elsewhere, name) {
			continue
		}
		if !slices.ContainsFunc(list, func(c crash) bool { return c.record == name }) {
			list = append(list, crash{record: name, nth: 1, story: "workday"})
		}
	}
	list = append(list, crash{record: "searched", nth: 2, story: "search"}) // which cites
	for record, last := range map[string]int{"spawned": 3, "ended": 5, "notification_queued": 2, "notification_delivered": 2, "consumed": 4} {
		for n := last; n > 1; n-- {
			if between := n < last && n != 3; between && !soaktest.Wanted() {
				continue
			}
			list = append(list, crash{record: record, nth: n, story: "workday"})
		}
	}
	order := eventNames(t)
	slices.SortStableFunc(list, func(a, b crash) int {
		if a.record != b.record {
			return slices.Index(order, a.record) - slices.Index(order, b.record)
		}
		return a.nth - b.nth
	})
	return list
}

// sides are where a crash can stand.
var sides = []string{"before", "inside", "after"}

func (c crash) at(side string) string {
	return fmt.Sprintf("%sstore.%s.%s=kill@%d", c.with, side, c.record, c.nth)
}

// table gathers what the crashes came to, for whoever reads the test's output.
type table struct {
	mu   sync.Mutex
	rows map[string][]string
}

func (b *table) put(key string, cells ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rows == nil {
		b.rows = map[string][]string{}
	}
	b.rows[key] = cells
}

func (b *table) print(t *testing.T, keys []string, heads ...string) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(heads, "\t"))
	for _, key := range keys {
		row, ok := b.rows[key]
		if !ok {
			row = []string{key, "FAILED: see above"}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
	t.Log("\n" + out.String())
}

// together runs rows side by side: most of their time they wait for a disk, and the
// package's own parallel tests are bound to the number of processors.
func together[T any](t *testing.T, rows []T, name func(T) string, do func(*testing.T, T)) {
	const hands = 4
	var all sync.WaitGroup
	next := make(chan T)
	for range hands {
		all.Go(func() {
			for row := range next {
				t.Run(name(row), func(t *testing.T) { do(t, row) })
			}
		})
	}
	for _, row := range rows {
		next <- row
	}
	close(next)
	all.Wait()
}

type crashPoint struct {
	crash
	side string
}

func (c crashPoint) String() string { return fmt.Sprintf("%s.%s@%d", c.side, c.record, c.nth) }

func TestKilledAtAnyRecordPawlLosesNothingAndRunsNothingAgain(t *testing.T) {
	t.Parallel()
	var rows []crashPoint
	var keys []string
	for _, c := range crashes(t) {
		for _, side := range sides {
			rows = append(rows, crashPoint{c, side})
			keys = append(keys, rows[len(rows)-1].String())
		}
	}
	var b table
	together(t, rows, crashPoint.String, func(t *testing.T, c crashPoint) {
		doc := c.play(t)
		c.stands(t, doc)
		runs, words := states(doc)
		b.put(c.String(), c.record, fmt.Sprint(c.nth), c.side, c.story, "reached", runs, words, "sound")
	})
	soaktest.Tried(t, len(rows), "kills before, inside and after the write of a record")
	b.print(t, keys, "record", "n", "killed", "story", "", "after the return", "notified = delivered + withdrawn", "")
}

// play plays the story to the crash, comes back, and gives what is there then.
func (c crashPoint) play(t *testing.T) document {
	w, killed := tales[c.story](t, c)
	require.True(t, killed, "%s is never reached", c)
	w.comes()
	w.doneOnce()
	return w.inspect()
}

// stands says that the record is there if, and only if, its transaction was.
func (c crashPoint) stands(t *testing.T, doc document) {
	t.Helper()
	before := doc.Records
	for i, rec := range doc.Records {
		if rec.Event == "spawned" && rec.Data.Prompt == goOn || rec.Event == "ended" && rec.Data.Cause == "process_end" {
			before = doc.Records[:i]
			break
		}
	}
	// Of a message that waited, the return writes one as well, before all ends.
	for len(before) > 0 {
		back := before[len(before)-1]
		if back.Event != "message_withdrawn" || !back.Data.Returned || c.record == "message_withdrawn" && c.side == "after" {
			break
		}
		before = before[:len(before)-1]
	}
	count := recorded(before)[c.record]
	if c.side == "after" {
		require.GreaterOrEqual(t, count, c.nth, "it was on disk")
	} else {
		require.Less(t, count, c.nth, "it was not yet on disk")
	}
}

// tales play the stories.
var tales = map[string]func(*testing.T, crashPoint) (w *crashCase, killed bool){
	"workday": func(t *testing.T, c crashPoint) (*crashCase, bool) {
		w := newCrashCase(t, newWorkday().answer)
		return w, w.crash(c.at(c.side), "--permission-mode", "bypass", "-p", "begin")
	},
	"strict": func(t *testing.T, c crashPoint) (*crashCase, bool) {
		w := newCrashCase(t, newWorkday().answer)
		return w, w.crash(c.at(c.side), "-p", "begin")
	},
	"stuck": func(t *testing.T, c crashPoint) (*crashCase, bool) {
		w := newCrashCase(t, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_stop", modeltest.Object{"agent_id": harness.AgentOf(h)}))
			case h.Parent():
				return modeltest.Do(modeltest.Launch("a stone", "be a stone"))
			}
			return modeltest.Surprised()
		})
		return w, w.crash(c.at(c.side), "-p", "begin")
	},
	"search": func(t *testing.T, c crashPoint) (*crashCase, bool) {
		w := newCrashCaseIn(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
			return modeltest.Say("It is out.").Searching("go release", "https://go.dev/blog/go1")
		})
		w.Configured(t, "[permissions]\nallow = [\"search(*)\"]\n")
		return w, w.crash(c.at(c.side), "-p", "begin")
	},
	"desk":  atDesk,
	"queue": atQueue,
}
