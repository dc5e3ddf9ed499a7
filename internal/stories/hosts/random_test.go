//go:build linux

package hosts

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/soaktest"
)

// programs are two files of the same program.
var programs = []func() (string, error){harness.Binary, another}

var folder string // of the other one

// another is a copy, made once.
var another = sync.OnceValues(func() (path string, err error) {
	original, err := harness.Binary()
	if err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp("", "pawl-test-"); err != nil {
		return "", err
	}
	in, err := os.Open(original)
	if err != nil {
		return "", err
	}
	defer in.Close()
	path = filepath.Join(folder, "pawl")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(out, in); err != nil {
		return "", err
	}
	return path, out.Close()
})

func sweep() {
	if folder != "" {
		_ = os.RemoveAll(folder) // a temporary folder: the system would sweep it too
	}
}

// actsEach is how many acts a program has.
const actsEach = 20

// details tell acts of one kind apart.
var details = regexp.MustCompile(`-\d+| [0-9a-f-]*[0-9a-f]{8}$|(garbage) .*| \d+`)

// tally counts what was done, over all programs.
type tally struct {
	mu    sync.Mutex
	count map[string]int
	acts  int
}

func (c *tally) add(done []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, act := range done {
		_, act, _ = strings.Cut(act, " ") // the time
		c.count[details.ReplaceAllString(act, "$1")]++
		c.acts++
	}
}

func (c *tally) String() string {
	var lines []string
	for kind, n := range c.count {
		lines = append(lines, fmt.Sprintf("%5d %s", n, kind))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	return fmt.Sprintf("%d acts:\n%s", c.acts, strings.Join(lines, "\n"))
}

func TestAfterRandomActsNothingIsLostDoubledOrLeft(t *testing.T) {
	c := &tally{count: map[string]int{}}
	together(t, soaktest.Seeds(t, 3, 100), func(t *testing.T, seed uint64) {
		p := newPlay(t, seed)
		note := func(act string) {
			if act != "" {
				p.done = append(p.done, fmt.Sprintf("%.1fs %s", time.Since(p.began).Seconds(), act))
				p.settle()
			}
		}
		note(p.begin())
		for len(p.done) < actsEach {
			note(p.next())
		}
		c.add(p.done)
		p.end()
	})
	t.Log(c)
	soaktest.Tried(t, c.acts, "acts on sessions in several terminals and processes")
	require.False(t, t.Failed())
}

// together plays some side by side: most of their time they wait.
func together(t *testing.T, seeds []uint64, do func(*testing.T, uint64)) {
	const hands = 3
	var all sync.WaitGroup
	next := make(chan uint64)
	for range hands {
		all.Go(func() {
			for seed := range next {
				t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { do(t, seed) })
			}
		})
	}
	for _, seed := range seeds {
		next <- seed
	}
	close(next)
	all.Wait()
}
