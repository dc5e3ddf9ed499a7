package landing

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Bounds of a message to a subagent, in bytes.
const (
	longestMessage = 60_000
	longestWhole   = 20_000 // of a file that is quoted whole
)

// Message is what a subagent is told of what git could not merge: each place with both sides, and what
// the folder's file holds now, since the worktree cannot see what is not committed there.
func (p *Plan) Message() (string, error) {
	var text strings.Builder
	conflicts := p.Of(Conflict)
	if len(conflicts) == 0 {
		return "", errors.New("nothing conflicts, so there is nothing to send back")
	}
	root, err := regular.OpenRoot(p.Folder)
	if err != nil {
		return "", err
	}
	defer root.Close()
	fmt.Fprintf(&text, "What you changed in your worktree %s could not all be brought into the folder %s: both have changed since you began. "+
		"Bring these files of your worktree up to date: take the folder's current content, given below, and make your change in it again, so that nothing of the folder's is lost. "+
		"Change files in your worktree only. Then say what you did.\n", p.Worktree, p.Folder)
	left := 0
	for _, f := range conflicts {
		part := p.partOf(root, f)
		if text.Len()+len(part) > longestMessage {
			left++
			continue
		}
		text.WriteString(part)
	}
	if left > 0 {
		fmt.Fprintf(&text, "\n%s more could not be merged; you will be told of them when these are done.\n", words.Count(left, "file"))
	}
	return text.String(), nil
}

// partOf is what is said of one file.
func (p *Plan) partOf(root *os.Root, f File) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n## %s\n%s.\n", f.Path, f.Why)
	for i, c := range f.Conflicts {
		fmt.Fprintf(&text, "\nPlace %d, at line %d of the folder's file. Before:\n%s\nIn the folder now:\n%s\nIn your worktree:\n%s\n",
			i+1, c.Line, quoted(c.Base), quoted(c.Folder), quoted(c.Worktree))
	}
	now, err := readFolder(root, f.Path, nil)
	switch {
	case err != nil:
	case now.kind == lifecycle.FileNone:
		text.WriteString("\nThe folder does not have it any more.\n")
	case now.kind == lifecycle.FileLink:
		fmt.Fprintf(&text, "\nIn the folder it is a link to %s now.\n", now.content)
	case binary(now.content) || !utf8.Valid(now.content):
		text.WriteString("\nThe folder's file is not text.\n")
	case len(now.content) <= longestWhole:
		fmt.Fprintf(&text, "\nThe folder's file now, whole:\n%s\n", quoted(string(now.content)))
	default:
		fmt.Fprintf(&text, "\nThe folder's file is too long to be quoted here: it is %s.\n", words.Size(int64(len(now.content))))
	}
	return text.String()
}

// quoted is a text between fences that it does not hold.
func quoted(text string) string {
	if text == "" {
		return "(nothing)"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + "\n" + text + fence
}
