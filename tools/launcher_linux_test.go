package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// alive lists the processes that a launcher's programs have left, by its owner in
// their environment, which no sweep looks at.
func alive(t *testing.T, l *Launcher) []string {
	t.Helper()
	var found []string
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, name := range names {
		environ, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(environ, []byte("PAWL_RUN="+string(l.Owner)+"\x00")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if state, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "stat")); len(state) > 0 && !bytes.Contains(state, []byte(") Z ")) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			found = append(found, fmt.Sprintf("%d %q", pid, command))
		}
	}
	return found
}

func gone(t *testing.T, l *Launcher) {
	t.Helper()
	require.Eventually(t, func() bool { return len(alive(t, l)) == 0 }, 2*time.Second, 10*time.Millisecond)
}

func owner(test, name string) lifecycle.RunID { return lifecycle.RunID(test + " " + name) }

// shapes are programs that do not want to end. Each says "up" when all of it runs.
var shapes = map[string]string{
	"plain":                  `echo up; exec sleep 1000`,
	"background grandchild":  `sleep 1000 & echo up; wait`,
	"ignores TERM":           `trap '' TERM; echo up; while :; do sleep 1000; done`,
	"child ignores TERM":     `(trap '' TERM; echo up; while :; do sleep 1000; done) & wait`,
	"quiet, ignores TERM":    `sh -c 'trap "" TERM; sleep 1000; sleep 1000' >/dev/null 2>&1 & echo up; wait`,
	"setsid daemon":          `setsid sh -c 'sleep 1000; :' & echo up; wait`,
	"quiet setsid daemon":    `setsid sh -c 'trap "" TERM HUP; sleep 1000; :' </dev/null >/dev/null 2>&1 & echo up; wait`,
	"double fork":            `(setsid sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &); echo up; sleep 1000`,
	"double fork, held pipe": `(setsid sh -c 'sleep 1000 & sleep 1000' &); echo up; sleep 1000`,
	"own group":              `set -m; sleep 1000 & echo up; wait`,
	"child of a daemon":      `setsid sh -c 'env -i PAWL_RUN="$PAWL_RUN" sleep 1000 & sleep 1000' >/dev/null 2>&1 & echo up; wait`,
	"forks on and on":        `f() { while :; do (sleep 0.05; sleep 1000) & sleep 0.02; done; }; trap '' TERM; f & echo up; wait`,
}

func TestNothingSurvivesACancel(t *testing.T) {
	for name, line := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Launcher{Owner: owner("cancel", name)}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stopped time.Time
			done, err := sh(t, ctx, l, line, func(c *Command) {
				c.Latest = func(string) {
					stopped = time.Now()
					cancel()
				}
			})
			took := time.Since(stopped)
			require.NoError(t, err)
			require.Empty(t, alive(t, l))
			require.Less(t, took, 2*time.Second)
			require.Equal(t, StopCanceled, done.Stopped)
			require.Equal(t, "up\n", done.Output.Head)
		})
	}
}

func TestNothingSurvivesTheTimeLimit(t *testing.T) {
	for name, line := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Launcher{Owner: owner("limit", name)}
			done, err := sh(t, t.Context(), l, line, func(c *Command) { c.Limit = 500 * time.Millisecond })
			require.NoError(t, err)
			require.Empty(t, alive(t, l))
			require.Less(t, done.Took, 2500*time.Millisecond)
			require.Equal(t, StopTimeLimit, done.Stopped)
		})
	}
}

func TestNothingOutlivesANormalEnd(t *testing.T) {
	for name, line := range map[string]string{
		"holds the pipe":       `sleep 1000 & echo up`,
		"quiet":                `sleep 1000 >/dev/null 2>&1 & echo up`,
		"setsid":               `setsid sleep 1000 >/dev/null 2>&1 & echo up`,
		"double fork":          `(setsid sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &); echo up`,
		"ignores TERM":         `(trap '' TERM; while :; do sleep 1000; done) >/dev/null 2>&1 & echo up`,
		"writes after its end": `(sleep 0.1; echo late) & echo up`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Launcher{Owner: owner("end", name)}
			done, err := sh(t, t.Context(), l, line, nil)
			require.NoError(t, err)
			require.Empty(t, alive(t, l))
			require.Zero(t, done.ExitCode)
			require.Equal(t, NotStopped, done.Stopped)
			if name == "writes after its end" {
				require.Equal(t, "up\nlate\n", done.Output.Head)
				require.Zero(t, done.Left)
			} else {
				require.Positive(t, done.Left)
			}
		})
	}
}

// A child dies with the thread that started it, so that thread must live as long
// as the child does.
func TestTheProgramOutlivesOtherThreads(t *testing.T) {
	l := &Launcher{Owner: "threads"}
	done, err := sh(t, t.Context(), l, "sleep 0.5; echo still here", func(c *Command) {})
	require.NoError(t, err)
	require.Equal(t, "still here\n", done.Output.Head)
}

func TestNoDescriptorsOrProcessesAreLeft(t *testing.T) {
	l := &Launcher{Owner: "many"}
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(entries)
	}
	_, err := sh(t, t.Context(), l, "true", nil)
	require.NoError(t, err)
	before := descriptors()
	for range 50 {
		_, err := sh(t, t.Context(), l, "sleep 1000 >/dev/null 2>&1 & :", nil)
		require.NoError(t, err)
	}
	require.Equal(t, before, descriptors())
	gone(t, l)
}

// A panic of the one who watches does not leave the program running.
func TestAPanicOfTheWatcherEndsTheProgram(t *testing.T) {
	l := &Launcher{Owner: "panicking"}
	require.PanicsWithValue(t, "watcher", func() {
		_, _ = sh(t, t.Context(), l, "echo x; sleep 1000", func(c *Command) { c.Latest = func(string) { panic("watcher") } })
	})
	gone(t, l)
}

func TestParallelCommandsDoNotEndEachOther(t *testing.T) {
	l := &Launcher{Owner: "parallel"}
	started := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		done, err := sh(t, ctx, l, "setsid sleep 1000 & echo up; wait", func(c *Command) {
			c.Latest = func(string) { close(started) }
		})
		if err != nil || done.Stopped != StopCanceled {
			t.Error(done, err)
		}
	})
	<-started
	done, err := sh(t, t.Context(), l, "echo quick", nil)
	require.NoError(t, err)
	require.Zero(t, done.Left)
	require.NotEmpty(t, alive(t, l))
	cancel()
	all.Wait()
	gone(t, l)
}
