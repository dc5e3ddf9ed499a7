// Package diff compares two texts, line by line: for people, as the tools, the screen and the
// exports show a change (Of), and for programs that apply it (Hunks).
package diff

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

// sniffed is how many bytes git looks at to tell text from what is binary.
const sniffed = 8000

// Of shows a change of one file, as a unified diff, for people: it is bounded, text that is not
// UTF-8 is made so, and line ends that are CRLF on both sides are shown as plain ones. Of binary
// content it says so in place of the lines. For a patch see Hunks.
func Of(path, before, after string) agent.DiffView {
	view := agent.DiffView{Path: words.Path(path)}
	from, to := "a/"+view.Path, "b/"+view.Path
	if Binary(before) || Binary(after) {
		view.Diff = fmt.Sprintf("--- %s\n+++ %s\n\\ binary content is not shown: %s before, %s after\n",
			from, to, words.Size(int64(len(before))), words.Size(int64(len(after))))
		return view
	}
	if allCRLF(before) && allCRLF(after) {
		before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	}
	unified := compare(from, to, words.Valid(before), words.Valid(after))
	view.Added, view.Removed = counts(unified)
	view.Diff = cutDiff(unified.String())
	return view
}

// Binary reports that content is not text, by git's rule.
func Binary(content string) bool {
	return strings.IndexByte(content[:min(len(content), sniffed)], 0) >= 0
}

// Hunks is the whole difference of two texts, byte for byte, as the hunks of a unified diff
// without the lines that name the files. Equal texts have none.
func Hunks(before, after string) (hunks string, added, removed int) {
	unified := compare("a", "b", before, after)
	added, removed = counts(unified)
	_, hunks, _ = strings.Cut(strings.TrimPrefix(unified.String(), "--- a\n"), "\n")
	return hunks, added, removed
}

func compare(from, to, before, after string) udiff.UnifiedDiff {
	lines, before, after := changedPart(before, after)
	edits, replaced := udiff.Lines(before, after), []udiff.Edit{{Start: 0, End: len(before), New: after}}
	if len(edits)*len(before) > maxDiffWork {
		edits = replaced
	}
	unified, err := udiff.ToUnifiedDiff(from, to, before, edits, udiff.DefaultContextLines)
	if err != nil { // the edits are of these very texts, so this is a fault of the library
		unified, _ = udiff.ToUnifiedDiff(from, to, before, replaced, udiff.DefaultContextLines)
	}
	for _, hunk := range unified.Hunks {
		hunk.FromLine += lines
		hunk.ToLine += lines
	}
	return unified
}

func counts(unified udiff.UnifiedDiff) (added, removed int) {
	for _, hunk := range unified.Hunks {
		for _, line := range hunk.Lines {
			switch line.Kind {
			case udiff.Insert:
				added++
			case udiff.Delete:
				removed++
			case udiff.Equal:
			}
		}
	}
	return added, removed
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
