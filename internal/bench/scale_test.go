package bench

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What stands for long: many subagents of one session, many screens on it, a day, an hour of speech.

var realTime = flag.Duration("real", 2*time.Minute, "how long BenchmarkGrowth has 200 tokens a second said; from an hour on, 10,000 runs are played in one process too")

// whole says that what takes long is to be measured as far as it goes.
func whole() bool { return *realTime >= time.Hour }

// descriptors are the open files of a process and all below it.
func descriptors(pid int) (n float64) {
	for _, one := range family(pid) {
		files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", one)) // it may have ended
		n += float64(len(files))
	}
	return n
}

// threads are those of the kernel.
func threads(pid int) (n float64) {
	for _, one := range family(pid) {
		n += float64(procField(fmt.Sprintf("/proc/%d/status", one), "Threads:"))
	}
	return n
}

// goroutines ends the host below a front with its stacks, and counts them.
func (x *tube) goroutines(home string) int {
	x.tb.Helper()
	host := (&harness.Stage{Home: home}).Hosts()
	require.Len(x.tb, host, 1)
	require.NoError(x.tb, syscall.Kill(host[0], syscall.SIGABRT))
	var stacks []byte
	require.Eventually(x.tb, func() bool {
		found, _ := filepath.Glob(filepath.Join(home, "state", "*crash*")) // the pattern is valid
		for _, path := range found {
			stacks, _ = os.ReadFile(path) // not written yet: looked at again
		}
		return bytes.Contains(stacks, []byte("goroutine "))
	}, modeltest.Patience, 10*time.Millisecond, "the host left no stacks")
	return bytes.Count(stacks, []byte("\ngoroutine "))
}

// growthThroughSlots has a thousand subagents of one session, each told twenty pieces in a tenth of a second,
// go through so many slots: what one takes, and what the session's processes hold by then.
func growthThroughSlots(slots int) func(*testing.B) plot {
	return func(b *testing.B) plot {
		const children, line = 1000, 20
		numbered := regexp.MustCompile(`number [0-9]+ (wants|is) done`) // its prompt, its answer
		p := modeltest.Protocols()[0]
		grown := plotOf(fmt.Sprintf("subagents that have ended in one session, through %d slots", slots),
			"one more of them, ms", "memory of all processes, MiB", "their descriptors", "their threads")
		var x *tube
		launched, sampled, at := 0, 0, time.Now()
		server := serveBench(b, p, func(a benchAsked) benchAnswer {
			if !a.parent {
				said := strings.Replace(string(numbered.Find(a.body)), "wants", "is", 1)
				return benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(19), said)}), every: 5 * time.Millisecond}
			}
			told := map[string]bool{} // as the parent's model was; one that ended at once stands in its call's result too
			for _, one := range numbered.FindAll(a.body, -1) {
				if bytes.HasSuffix(one, []byte("is done")) {
					told[string(one)] = true
				}
			}
			done := len(told)
			if since := done - sampled; since >= children/10 || done == children && since > children/20 {
				pid := x.cmd.Process.Pid
				grown.sample(float64(done), milliseconds(time.Since(at))/float64(since), memoryOf(pid, "VmRSS"), descriptors(pid), threads(pid))
				sampled, at = done, time.Now()
			}
			var calls []modeltest.Call
			for ; launched < children && launched-done < slots+line; launched++ {
				calls = append(calls, modeltest.Launch(fmt.Sprintf("busy number %d", launched), fmt.Sprintf("number %d wants done", launched)))
			}
			said := "so far"
			if done == children {
				said = "жtheyrunж"
			}
			if len(calls) > 0 {
				return benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Calls: calls})}
			}
			return benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: []string{said}})}
		})
		home := homeOfHosts(b)
		env := append(server.environ(home), fmt.Sprintf("PAWL_SUBAGENTS_MAX_BACKGROUND=%d", slots), "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=100000", "GOTRACEBACK=all")
		x = openTube(b, benchFolder(b), env, "--model", p.Model)
		x.await(alternateScreen, 0)
		x.press("go" + harness.KeyEnter)
		x.awaitFor("жtheyrunж", 0, 10*time.Minute)
		b.Logf("%d subagents through %d slots: %d goroutines in the host at the end", children, slots, x.goroutines(home))
		return grown
	}
}

// growthOfScreens opens more and more screens on a session that writes ten pieces a second.
func growthOfScreens(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	slow := 100 * time.Millisecond
	server := serveBench(b, p, delegating(p, modeltest.Launch, 1, modeltest.Spell(p, modeltest.Reply{Text: tokens(20000)}), nil, &slow))
	home := homeOfHosts(b)
	grown := plotOf("screens on one session", "the last one's attach, ms", "memory of the host, MiB", "its descriptors", "its threads",
		"key to screen, the median, ms", "key to screen, the 99th of 100, ms", "memory of all screens, MiB")
	first := server.begin(b, home, 1)
	host := (&harness.Stage{Home: home}).Hosts()
	require.Len(b, host, 1)
	screens := []*tube{first}
	for _, count := range []int{2, 10, 25, 50, 100} {
		var attach float64
		for len(screens) < count {
			x := server.attach(b, home)
			attach = milliseconds(x.await(" slots", x.await(alternateScreen, 0).end).at.Sub(x.begun))
			screens = append(screens, x)
		}
		first.settle(300 * time.Millisecond)
		waits := first.typeFast("")
		first.press(ctrlU)
		fronts := 0.0
		for _, x := range screens {
			fronts += memoryOfOne(x.cmd.Process.Pid, "VmRSS")
		}
		pid := host[0]
		grown.sample(float64(count), attach, memoryOfOne(pid, "VmRSS"), descriptors(pid), threads(pid),
			percentile(waits, 0.5), percentile(waits, 0.99), fronts)
	}
	for _, x := range screens[1:] {
		x.detach()
	}
	return grown
}

// growthOfSpeech has 200 tokens a second said in one session, answer after answer, for as long as -real says.
func growthOfSpeech(b *testing.B) plot {
	const perAnswer = 2000 // 10 s of them
	p := modeltest.Protocols()[0]
	server := serveBench(b, p, func(a benchAsked) benchAnswer {
		return benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(perAnswer), "\n\n"+lastLineOf(a.turn))}), every: 5 * time.Millisecond}
	})
	name := "minutes of 200 tokens a second"
	if !whole() {
		name += fmt.Sprintf(" (60 were not run, but %s)", *realTime)
	}
	grown := plotOf(name, "memory of all processes, MiB", "their descriptors", "their threads",
		"processor time of a second, ms", "key to screen, the 99th of 100, ms")
	x := server.open(b, b.TempDir())
	defer x.leave()
	x.await(alternateScreen, 0)
	begun, pid, turn := time.Now(), x.cmd.Process.Pid, 0
	parts := min(12, max(3, int(*realTime/(30*time.Second)))) // each says two answers, at least
	for part := 1; part <= parts; part++ {
		spent, since := processorTimes(pid), time.Now()
		for first := true; first || time.Since(begun) < *realTime*time.Duration(part)/time.Duration(parts); turn, first = turn+1, false {
			from := x.written()
			x.press("go" + harness.KeyEnter)
			x.awaitFor(lastLineOf(turn), from, 2*time.Minute)
		}
		work := milliseconds(processorTimes(pid)-spent) / time.Since(since).Seconds()
		from := x.written()
		x.press("go" + harness.KeyEnter) // and typed into while the answer is said
		server.await(b, true, turn)
		waits := x.typeFast("")
		x.press(ctrlU)
		x.awaitFor(lastLineOf(turn), from, 2*time.Minute)
		turn++
		grown.sample(time.Since(begun).Minutes(), memoryOf(pid, "VmRSS"), descriptors(pid), threads(pid), work, percentile(waits, 0.99))
	}
	return grown
}

// growthOfRuns plays runs of every kind of end in one process, with the loop, the tools, the database and
// shells, and looks into it.
func growthOfRuns(b *testing.B) plot {
	runs, name := 10_000, "runs that have ended in one process"
	if !whole() {
		runs = 3000
		name += fmt.Sprintf(" (10,000 were not run, but %d)", runs)
	}
	grown := plotOf(name, "its heap, MiB", "goroutines", "descriptors", "a run's processor time, ms")
	inside(b, &grown, "TestTenThousandRunsInOneProcess", runs)
	return grown
}

// growthOfADay plays a session in virtual time (testing/synctest), in one process: each minute a subagent is
// told 200 tokens a second for ten seconds.
func growthOfADay(b *testing.B) plot {
	grown := plotOf("hours of virtual time in one session", "its heap, MiB", "goroutines", "descriptors", "a minute's processor time, ms")
	inside(b, &grown, "TestADayOfOneSession", 24)
	return grown
}

// inside runs a test of internal/app so often and takes the rows of figures that it logs: what has grown, and
// the plot's.
func inside(b *testing.B, grown *plot, test string, count int) {
	b.Helper()
	cmd := exec.Command("go", "test", "-count=1", "-timeout", "60m", "-v", "-run", "^"+test+"$", "pawl/internal/app")
	cmd.Env = append(os.Environ(), fmt.Sprintf("PAWL_SOAK=%d", count))
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, string(out))
	for line := range strings.Lines(string(out)) {
		_, row, _ := strings.Cut(line, "grown ")
		var x float64
		figures := make([]float64, len(grown.Curves))
		if n, _ := fmt.Sscan(row, &x, &figures[0], &figures[1], &figures[2], &figures[3]); n == 5 { // other lines have none
			grown.sample(x, figures...)
		}
	}
	require.NotEmpty(b, grown.Curves[0].Points, string(out))
}
