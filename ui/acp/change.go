package acp

import (
	"strconv"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent"
	"pawl/agent/sanitize"
)

// hunk is one changed part of a file, before and after.
type hunk struct {
	line        int // line in the changed file, from 1
	old, fresh  strings.Builder
	left, right int // lines still to come
}

// changes are the changed parts of a file, each as a change of its own: the protocol needs the
// text before and after, and a view has it only around the changes.
func (s *session) changes(v agent.DiffView) []sdk.ToolCallContent {
	hunks := hunksOf(v.Diff)
	if len(hunks) == 0 {
		return []sdk.ToolCallContent{prose(fenced("diff", v.Diff))}
	}
	var all []sdk.ToolCallContent
	for _, h := range hunks {
		old := []string{string(sanitize.Paste(h.old.String()))}
		if v.New {
			old = nil
		}
		all = append(all, sdk.ToolDiffContent(s.absolute(v.Path), string(sanitize.Paste(h.fresh.String())), old...))
	}
	return all
}

// hunksOf parses a unified diff; nil if it is invalid or was cut.
func hunksOf(diff string) []*hunk {
	var all []*hunk
	var now *hunk
	for line := range strings.Lines(diff) {
		if now == nil || now.left <= 0 && now.right <= 0 {
			switch {
			case strings.HasPrefix(line, "@@ "):
				if now = hunkAt(line); now == nil {
					return nil
				}
				all = append(all, now)
			case now != nil && !strings.HasPrefix(line, `\`):
				return nil // a note after a cut
			}
			continue
		}
		if !now.take(line) {
			return nil
		}
	}
	if now == nil || now.left > 0 || now.right > 0 {
		return nil
	}
	return all
}

func (h *hunk) take(line string) bool {
	text := line[1:]
	switch line[0] {
	case ' ':
		h.old.WriteString(text)
		h.fresh.WriteString(text)
		h.left--
		h.right--
	case '-':
		h.old.WriteString(text)
		h.left--
	case '+':
		h.fresh.WriteString(text)
		h.right--
	case '\\': // no newline at the end of the file: the line before is complete
	default:
		return false
	}
	return true
}

// hunkAt parses the head of a hunk: @@ -1,3 +1,4 @@.
func hunkAt(line string) *hunk {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" {
		return nil
	}
	_, left, okay := span(fields[1], "-")
	at, right, ok := span(fields[2], "+")
	if !okay || !ok {
		return nil
	}
	return &hunk{line: at, left: left, right: right}
}

// span parses a line and a number of lines, which is 1 if missing.
func span(text, sign string) (at, lines int, ok bool) {
	rest, ok := strings.CutPrefix(text, sign)
	first, count, counted := strings.Cut(rest, ",")
	at, err := strconv.Atoi(first)
	lines = 1
	if counted && err == nil {
		lines, err = strconv.Atoi(count)
	}
	return at, lines, ok && err == nil
}
