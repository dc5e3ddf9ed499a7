package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// benchLetter is typed where an echo is waited for: nothing else on the screen has it.
const benchLetter = "ж"

// alternateScreen is how the screen begins: an echo before it is the kernel's.
const alternateScreen = "\x1b[?1049h"

// BenchmarkAimStart types a letter into a terminal in which Pawl has just been started,
// and waits for it on the screen.
func BenchmarkAimStart(b *testing.B) {
	server := serveBench(b, modeltest.Protocols()[0], nil)
	home := b.TempDir()
	var times []float64
	for i := range 4*benchRuns + 1 {
		x := server.open(b, home)
		x.press(benchLetter)
		seen := x.await(benchLetter, x.await(alternateScreen, 0).end)
		if i > 0 { // the first makes the database
			times = append(times, milliseconds(seen.at.Sub(x.begun)))
		}
		x.leave()
	}
	measured(b, aimStart, "", times...)
}

// BenchmarkAimStartConventions does the same where a team has written 100 commands and 100 skills.
func BenchmarkAimStartConventions(b *testing.B) {
	server := serveBench(b, modeltest.Protocols()[0], nil)
	home, folder := b.TempDir(), b.TempDir()
	lay := func(name, text string) {
		path := filepath.Join(folder, name)
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
	}
	for i := range 100 {
		lay(fmt.Sprintf(".claude/commands/c%d.md", i), "---\ndescription: does things\nallowed-tools: Bash(git add:*), Read\n---\n"+strings.Repeat("Do it well. ", 200)+"\n!`git status`\n")
		skill := fmt.Sprintf(".claude/skills/s%d/", i)
		lay(skill+"SKILL.md", fmt.Sprintf("---\nname: s%d\ndescription: %s\n---\n%s", i, strings.Repeat("word ", 60), strings.Repeat("How it is done. ", 200)))
		lay(skill+"scripts/run.py", strings.Repeat("print()\n", 300))
		lay(skill+"references/more.md", strings.Repeat("more\n", 300))
	}
	var times []float64
	for i := range 4*benchRuns + 1 {
		x := openTube(b, folder, server.environ(home), "--model", server.protocol.Model, "--trust")
		x.press(benchLetter)
		seen := x.await(benchLetter, x.await(alternateScreen, 0).end)
		if i > 0 { // the first makes the database
			times = append(times, milliseconds(seen.at.Sub(x.begun)))
		}
		x.leave()
	}
	measured(b, aimStartConventions, "", times...)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkAimIdle leaves several Pawls alone, side by side.
func BenchmarkAimIdle(b *testing.B) {
	server := serveBench(b, modeltest.Protocols()[0], nil)
	var all []*tube
	for range benchRuns {
		x := server.open(b, b.TempDir())
		x.await(alternateScreen, 0)
		all = append(all, x)
	}
	<-time.After(3 * time.Second) // the start has a row of its own
	var memory, fronts, guards, work, bytes []float64
	spent, written := make([]time.Duration, benchRuns), make([]int, benchRuns)
	for i, x := range all {
		spent[i], written[i] = processorTimes(x.cmd.Process.Pid), x.written()+writtenToDisk(x.cmd.Process.Pid)
	}
	<-time.After(10 * time.Second)
	for i, x := range all {
		work = append(work, milliseconds(processorTimes(x.cmd.Process.Pid)-spent[i]))
		bytes = append(bytes, float64(x.written()+writtenToDisk(x.cmd.Process.Pid)-written[i]))
		memory = append(memory, memoryOf(x.cmd.Process.Pid, "VmRSS"))
		fronts = append(fronts, memoryOfOne(x.cmd.Process.Pid, "VmRSS"))
		guards = append(guards, memoryOfOne(family(x.cmd.Process.Pid)[1], "VmRSS"))
		x.leave()
	}
	measured(b, aimIdleMemory, "", memory...)
	measured(b, aimFrontMemory, "", fronts...)
	measured(b, aimGuardMemory, "", guards...)
	measured(b, aimIdleProcessor, "", work...)
	measured(b, aimIdleBytes, "", bytes...)
}

// BenchmarkAimPrint asks for one word without a screen, in each protocol.
func BenchmarkAimPrint(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	for _, p := range modeltest.Protocols() {
		word := modeltest.Spell(p, modeltest.Reply{Text: []string{"yes"}})
		var cmd *exec.Cmd
		var times, peaks []float64
		server := serveBench(b, p, func(benchAsked) benchAnswer {
			peaks = append(peaks, memoryOf(cmd.Process.Pid, "VmHWM")) // but for reading one word, the most that it takes
			return benchAnswer{Spelt: word}
		})
		home := b.TempDir()
		for range benchRuns + 1 {
			cmd = exec.Command(path, "-p", "--model", p.Model, "ready?")
			cmd.Dir, cmd.Env = b.TempDir(), server.environ(home)
			begun := time.Now()
			out, err := cmd.Output()
			times = append(times, milliseconds(time.Since(begun)))
			require.NoError(b, err)
			require.Equal(b, "yes\n", string(out))
		}
		measured(b, aimPrint, p.Name, times[1:]...) // the first made the database
		measured(b, aimPrintMemory, p.Name, peaks[1:]...)
	}
}

// BenchmarkAimSize looks at what `make install` installs.
func BenchmarkAimSize(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	info, err := os.Stat(path)
	require.NoError(b, err)
	measured(b, aimSize, "", float64(info.Size())/1e6)
}

// family lists a process and all that it started and they started.
func family(pid int) []int {
	all := []int{pid}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // a list for each thread; not Linux, or gone: none
	for _, path := range lists {
		list, _ := os.ReadFile(path) // the thread has just ended: its children are another's
		for word := range strings.FieldsSeq(string(list)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, family(child)...)
			}
		}
	}
	return all
}

// memoryOf is a line of the status of a process and all below it, in MiB.
func memoryOf(pid int, line string) (sum float64) {
	for _, one := range family(pid) {
		sum += memoryOfOne(one, line)
	}
	return sum
}

// memoryOfOne is the same of one process alone.
func memoryOfOne(pid int, line string) float64 {
	return float64(procField(fmt.Sprintf("/proc/%d/status", pid), line+":")) / 1024
}

// writtenToDisk is what a process and all below it have sent to a disk, in bytes.
func writtenToDisk(pid int) (sum int) {
	for _, one := range family(pid) {
		sum += procField(fmt.Sprintf("/proc/%d/io", one), "write_bytes:")
	}
	return sum
}

// procField is a number in one of the kernel's files; 0 where there is none.
func procField(path, name string) (value int) {
	text, _ := os.ReadFile(path) // not Linux, or gone: nothing
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			fmt.Sscan(rest, &value)
		}
	}
	return value
}

// processorTimes is what a process and all below it have used so far.
func processorTimes(pid int) (sum time.Duration) {
	for _, one := range family(pid) {
		sum += processorTime(one)
	}
	return sum
}

// processorTime is what the threads of a process have used so far, to the nanosecond.
func processorTime(pid int) time.Duration {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(folder) // not Linux, or gone: none
	var sum time.Duration
	for _, thread := range threads {
		text, err := os.ReadFile(folder + "/" + thread.Name() + "/schedstat")
		if err != nil {
			continue // it has just ended
		}
		var used time.Duration
		fmt.Sscan(string(text), &used)
		sum += used
	}
	return sum
}
