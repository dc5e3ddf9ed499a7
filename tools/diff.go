package tools

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"pawl/agent"
	"pawl/internal/words"
)

// Bounds of a diff. Beyond the first it is cut; where finding it would cost more
// than the second, in bytes times edits, the changed part is shown as replaced.
const (
	maxDiff     = 100_000
	maxDiffWork = 1 << 30
)

// diff shows a change of one file, as a unified diff. Line ends that are CRLF on
// both sides are shown as plain ones.
func diff(path, before, after string) agent.DiffView {
	view := agent.DiffView{Path: words.Path(path)}
	if allCRLF(before) && allCRLF(after) {
		before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	}
	before, after = words.Valid(before), words.Valid(after)
	lines, before, after := changedPart(before, after)
	edits := udiff.Lines(before, after)
	if len(edits)*len(before) > maxDiffWork {
		edits = []udiff.Edit{{Start: 0, End: len(before), New: after}}
	}
	unified, err := udiff.ToUnifiedDiff("a/"+view.Path, "b/"+view.Path, before, edits, udiff.DefaultContextLines)
	if err != nil { // the edits are of these very texts
		view.Diff = "(the difference cannot be shown: " + err.Error() + ")"
		return view
	}
	for _, hunk := range unified.Hunks {
		hunk.FromLine += lines
		hunk.ToLine += lines
		for _, line := range hunk.Lines {
			switch line.Kind {
			case udiff.Insert:
				view.Added++
			case udiff.Delete:
				view.Removed++
			case udiff.Equal:
			}
		}
	}
	view.Diff = cutDiff(unified.String())
	return view
}

func allCRLF(text string) bool {
	ends := strings.Count(text, "\n")
	return ends > 0 && ends == strings.Count(text, "\r\n")
}

// changedPart takes away the lines that two texts have in common at their start
// and end, but for what a diff shows around a change, and says how many lines it
// took at the start: the cost of a diff is then that of the change.
func changedPart(a, b string) (lines int, changedA, changedB string) {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for range udiff.DefaultContextLines + 1 {
		start = strings.LastIndexByte(a[:max(start-1, 0)], '\n') + 1
	}
	lines = strings.Count(a[:start], "\n")
	a, b = a[start:], b[start:]
	same := 0
	for same < len(a) && same < len(b) && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	for range udiff.DefaultContextLines + 1 {
		at := strings.IndexByte(a[len(a)-same:], '\n')
		if at < 0 {
			return lines, a, b
		}
		same -= at + 1
	}
	return lines, a[:len(a)-same], b[:len(b)-same]
}

// cutDiff bounds a diff for the screen and the log, at a line.
func cutDiff(text string) string {
	if len(text) <= maxDiff {
		return text
	}
	end := strings.LastIndexByte(text[:maxDiff], '\n') + 1
	if end == 0 {
		return words.Valid(text[:maxDiff]) + "\n\\ the rest is not shown\n"
	}
	return text[:end] + fmt.Sprintf("\\ %s not shown\n", words.Count(strings.Count(text[end:], "\n"), "more line"))
}
