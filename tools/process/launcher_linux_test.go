package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

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
	require.Eventually(t, func() bool { return len(alive(t, l)) == 0 }, patience, 10*time.Millisecond)
}

func owner(test, name string) lifecycle.RunID { return lifecycle.RunID(test + " " + name) }

// What is left may still have something to say, for a moment.
func TestWhatIsWrittenAfterTheEndIsHeard(t *testing.T) {
	done, err := sh(t, t.Context(), &Launcher{}, `mkfifo gate; (read x <gate; echo late) & exec 3>gate; echo up`, nil)
	require.NoError(t, err)
	require.Equal(t, "up\nlate\n", done.Output.Head)
	require.Zero(t, done.ExitCode)
	require.Zero(t, done.Left)
	done, err = sh(t, t.Context(), &Launcher{}, `mkfifo gate; (read x <gate; while echo on; do :; done) & exec 3>gate; echo up`, nil)
	require.NoError(t, err)
	require.Contains(t, done.Output.Head, "on\non\n")
	require.Positive(t, done.Left)
}

// A child dies with the thread that started it, so that thread must live as long
// as the child does.
func TestTheProgramOutlivesOtherThreads(t *testing.T) {
	l := &Launcher{Owner: "threads"}
	done, err := sh(t, t.Context(), l, "sleep 0.5; echo still here", func(c *Command) {})
	require.NoError(t, err)
	require.Equal(t, "still here\n", done.Output.Head)
}

// base counts what must not grow: descriptors, and processes that are ours, dead
// ones too.
func base(t *testing.T) [2]int {
	t.Helper()
	descriptors, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	children := 0
	lists, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that has ended: no children
		children += len(bytes.Fields(text))
	}
	return [2]int{len(descriptors), children}
}

// A thousand, or as many as the race detector does in a minute.
func TestStartsAndStopsLeaveNothing(t *testing.T) {
	times := 1000
	if testing.Short() || raced() {
		times = 60
	}
	for _, mode := range modesHere() {
		l := &Launcher{Owner: owner("many", string(mode)), Containment: Containment(mode)}
		one := func(i int) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			line := "sleep 0.01"
			if i%2 == 0 {
				line = "echo up; sleep 1000 >/dev/null"
				time.AfterFunc(time.Duration(i%20)*time.Millisecond, cancel)
			}
			if _, err := l.Run(ctx, shellCommand(line)); err != nil && !strings.Contains(err.Error(), "goes on trying to end it") {
				t.Error(err)
			}
		}
		one(0)
		one(1)
		gone(t, l)
		before, goroutines := base(t), goleak.IgnoreCurrent()
		var all sync.WaitGroup
		for worker := range 4 {
			all.Go(func() {
				for i := range times / 4 {
					one(worker + i)
				}
			})
		}
		all.Wait()
		gone(t, l)
		goleak.VerifyNone(t, goroutines)
		require.Eventually(t, func() bool { now := base(t); return now[0] <= before[0] && now[1] <= before[1] }, patience, 10*time.Millisecond, "at first %v", before)
	}
}

// raced says whether this is a build with the race detector.
func raced() bool {
	build, _ := debug.ReadBuildInfo()
	return slices.ContainsFunc(build.Settings, func(s debug.BuildSetting) bool { return s.Key == "-race" && s.Value == "true" })
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
		if err != nil && !strings.Contains(err.Error(), "goes on trying to end it") || done.Stopped != StopCanceled {
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
