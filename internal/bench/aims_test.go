package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
)

// The table that `make bench` prints: what Pawl aims at, and where it is. Each row is
// measured on the program as it is installed, on a pseudo-terminal and against a model
// server on loopback. The server and the reader of the terminal work on the same
// processors, so every time is an upper bound.

// aim is a row of the table: no more than this much of a unit.
type aim struct {
	what, unit string
	most       float64
}

const (
	aimStart            = "process start to a typed letter on the screen"
	aimStartConventions = "the same with 100 commands and 100 skills in the folder"
	aimAttach           = "attach to a session at work: process start to the whole frame"
	aimAttachHere       = "the same without ID"
	aimIdleMemory       = "idle: memory of all processes"
	aimFrontMemory      = "idle: memory of the front"
	aimGuardMemory      = "idle: memory of the guard"
	aimIdleProcessor    = "idle: processor time in 10 s"
	aimIdleBytes        = "idle: bytes written in 10 s"
	aimPrint            = "pawl -p, one word"
	aimPrintMemory      = "pawl -p, one word: peak memory"
	aimAnswer           = "20,000 tokens at once: last line"
	aimAnswerWork       = "20,000 tokens at once: processor time"
	aimAnswerMemory     = "20,000 tokens at once: peak memory"
	aimLater            = "the eleventh such answer, against the first"
	aimLaterMemory      = "the eleventh such answer: peak memory"
	aimPaced            = "10 s of 200 tokens a second: processor time"
	aimPacedBytes       = "10 s of 200 tokens a second: to the terminal"
	aimBeside           = "the same beside five subagents: processor time"
	aimBesideBytes      = "the same beside five subagents: to the terminal"
	aimScreens          = "five screens, 10 s of 200 tokens a second: processor time, against one and four terminals"
	aimScreen           = "the same: each further screen's share"
	aimFleet            = "fleet of 1,000 sessions and 50 hosts: first screen"
	aimFleetRest        = "the same, at rest: processor time in 5 s"
	aimSpawn            = "five agent calls: the last child's request"
	aimChild            = "five agent calls: memory a child"
	aimHundred          = "100 subagents at once: memory each"
	aimStop             = "Esc to the child's connection closed"
	aimWake             = "background child's last byte to the parent's request"
	aimSize             = "installed program"
	aimOpen             = "1,000,000 records: first screen"
	aimExport           = "1,000,000 records: export to JSON"
	aimExportMemory     = "1,000,000 records: export to JSON, peak memory"
	aimHistory          = "a token behind 200,000 others, against none"
	aimKey              = "key to screen, 5 subagents of 1,000 events a second"
	aimCrowdKey         = "key to screen, 50 subagents of 200 events a second"
	aimDashboard        = "the same, with a dashboard of 200 runs open"
	aimCommand          = "a command in a checkout of 20,000 files, more than in an empty one"
	aimCommandLarge     = "the same in one of 200,000 files, the most that are watched"
	aimChanges          = "/changes over 500 files: the first of them on the screen"
	aimRewind           = "taking 500 files back"
	aimRemoteFirst      = "a subagent on another machine: call to its first request, the checkout known"
	aimRemoteStop       = "the same: Esc to its connection closed"
	aimRemoteMemory     = "100 subagents on other machines: memory each, of the session's process"
	aimRemoteProcessor  = "the same, 10 records a second each: of a core"
	aimRemoteChange     = "1 MB changed in a checkout of 200 MB: sent with the next such subagent"

	floorProgram     = "floor: one process of this program"
	floorStart       = "floor: three small processes, a commit, a letter"
	floorIdleMemory  = "the same: memory"
	floorPrint       = "floor: two small processes, a commit, a word"
	floorPrintMemory = "the same: peak memory"
)

// aims are the rows in the order of the table. Memory is in MiB, as the kernel counts,
// and of all processes together; the size of the program is in MB.
var aims = []aim{
	{aimStart, "ms", 20},
	{aimStartConventions, "ms", 40},
	{aimAttach, "ms", 25},
	{aimAttachHere, "ms", 25},
	{aimIdleMemory, "MiB", 34},
	{aimFrontMemory, "MiB", 6},
	{aimGuardMemory, "MiB", 8},
	{aimIdleProcessor, "ms", 5}, // what shows as 0.00 s
	{aimIdleBytes, "bytes", 0},
	{aimPrint, "ms", 25},
	{aimPrintMemory, "MiB", 30},
	{aimAnswer, "s", 0.15},
	{aimAnswerWork, "cpu-s", 0.7},
	{aimAnswerMemory, "MiB", 90},
	{aimLater, "times", 1.1}, // the same, within a tenth of noise
	{aimLaterMemory, "MiB", 120},
	{aimPaced, "cpu-s", 0.5},
	{aimPacedBytes, "KB", 150},
	{aimBeside, "cpu-s", 0.8},
	{aimBesideBytes, "KB", 200}, // the library writes a line from its first change to its last
	{aimScreens, "times", 1.3},
	{aimScreen, "cpu-s", 0.2},
	{aimFleet, "ms", 60},
	{aimFleetRest, "ms", 5}, // what shows as 0.00 s
	{aimSpawn, "ms", 8},
	{aimChild, "MiB", 1},
	{aimHundred, "MiB", 0.3},
	{aimStop, "ms", 3},
	{aimWake, "ms", 6},
	{aimSize, "MB", 39},
	{aimOpen, "ms", 300},
	{aimExport, "s", 8},
	{aimExportMemory, "MiB", 64},
	{aimHistory, "times", 1.2},
	{aimKey, "ms", 16},
	{aimCrowdKey, "ms", 8},
	{aimDashboard, "ms", 16},
	{aimCommand, "ms", 20},
	{aimCommandLarge, "ms", 150},
	{aimChanges, "ms", 100},
	{aimRewind, "s", 1},
	{aimRemoteFirst, "ms", 60},
	{aimRemoteStop, "ms", 20},
	{aimRemoteMemory, "MiB", 0.3},
	{aimRemoteProcessor, "%", 20},
	{aimRemoteChange, "MB", 1.5},
	{floorProgram, "ms", noAim},
	{floorStart, "ms", noAim},
	{floorIdleMemory, "MiB", noAim},
	{floorPrint, "ms", noAim},
	{floorPrintMemory, "MiB", noAim},
}

// noAim stands at rows that show what cannot be undercut.
const noAim = math.MaxFloat64

// benchRuns is how often a row is measured, at least; its figure is the median.
const benchRuns = 5

// samples are the figures of one row in one variant, in the order they were taken.
type samples struct {
	row     int
	variant string
	figures []float64
}

var measuredRows struct {
	sync.Mutex
	list []samples
}

// measured puts figures into the table: those of a row, in a variant if there are any.
func measured(b *testing.B, what, variant string, figures ...float64) {
	b.Helper()
	row := slices.IndexFunc(aims, func(a aim) bool { return a.what == what })
	measuredRows.Lock()
	defer measuredRows.Unlock()
	measuredRows.list = append(measuredRows.list, samples{row: row, variant: variant, figures: figures})
}

// percentile is the figure that this share of all, from 0 to 1, does not exceed.
func percentile(figures []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// printAims writes the table of what was measured; nothing was: nothing.
func printAims(w io.Writer) {
	measuredRows.Lock()
	defer measuredRows.Unlock()
	if len(measuredRows.list) == 0 {
		return
	}
	slices.SortStableFunc(measuredRows.list, func(a, b samples) int { return cmp.Compare(a.row, b.row) })
	fmt.Fprintf(w, "\n%s, %d processors: %s\n\n", runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU(), processorName())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmedian\tleast–most\truns\taim\t")
	for _, s := range measuredRows.list {
		a, what := aims[s.row], aims[s.row].what
		if s.variant != "" {
			what += " (" + s.variant + ")"
		}
		median, verdict := percentile(s.figures, 0.5), short(a.most)+" "+a.unit+"\tmet"
		switch {
		case a.most == noAim:
			verdict = "–\tfloor"
		case median > a.most:
			verdict = short(a.most) + " " + a.unit + "\tmissed"
		}
		fmt.Fprintf(table, "%s\t%s %s\t%s–%s\t%d\t%s\n", what, short(median), a.unit,
			short(slices.Min(s.figures)), short(slices.Max(s.figures)), len(s.figures), verdict)
	}
	_ = table.Flush() // to the standard output of a test
}

// short keeps three digits: more would be noise.
func short(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64) // its own output
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// processorName is what the kernel calls the processor, where it says.
func processorName() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // not Linux: no name
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return "unnamed"
}
