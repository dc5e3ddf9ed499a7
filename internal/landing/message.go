package landing

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"unicode/utf8"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/apply"
)

// Bounds of a message to a subagent, in bytes.
const (
	longestMessage = 120_000
	longestWhole   = 50_000 // of a file that is quoted whole
	longestPlaces  = 40_000 // of the places of a file, with their sides
)

// Message is what a subagent is told of what git could not merge: each place with both sides, and what
// the folder's file holds now, since the worktree cannot see what is not committed there. told are the
// files that it knows whole by then.
func (p *Plan) Message() (text string, told map[string]worktree.SentBack, contents [][]byte, err error) {
	var all strings.Builder
	conflicts := p.Of(Conflict)
	if len(conflicts) == 0 {
		return "", nil, nil, errors.New("nothing conflicts, so there is nothing to send back")
	}
	root, err := regular.OpenRoot(p.Folder)
	if err != nil {
		return "", nil, nil, err
	}
	defer root.Close()
	fmt.Fprintf(&all, "What you changed in your worktree %s could not all be brought into the folder %s: both have changed since you began. "+
		"Bring these files of your worktree up to date: take the folder's current content, given below, and make your change in it again, so that nothing of the folder's is lost. "+
		"Change files in your worktree only. Then say what you did.\n", p.Worktree, p.Folder)
	told, left := map[string]worktree.SentBack{}, 0
	for _, f := range conflicts {
		part, now, whole := p.partOf(root, f)
		if all.Len()+len(part) > longestMessage {
			part, whole = opening(f)+"There is no room to quote more of it here.\n", false
		}
		if all.Len()+len(part) > longestMessage {
			left++
			continue
		}
		all.WriteString(part)
		if whole {
			told[f.Path] = worktree.SentBack{Folder: now.state(), Worktree: objectOf(f.difference)}
			contents = append(contents, now.content)
		}
	}
	if left > 0 {
		fmt.Fprintf(&all, "\n%s more could not be merged; you will hear about the rest once these are done.\n", words.Count(left, "file"))
	}
	return all.String(), told, contents, nil
}

// opening is what is always said of a file.
func opening(f File) string { return fmt.Sprintf("\n## %s\n%s.\n", f.Path, f.Why) }

// partOf is what is said of one file: what the folder has now, and whether all of that is in it.
func (p *Plan) partOf(root *os.Root, f File) (part string, now side, whole bool) {
	var text strings.Builder
	text.WriteString(opening(f))
	for i, c := range f.Conflicts {
		if text.Len()+len(c.Base)+len(c.Folder)+len(c.Worktree) > longestPlaces {
			fmt.Fprintf(&text, "\nPlace %d, at line %d of the folder's file, and what follows are too long to be quoted here.\n", i+1, c.Line)
			break
		}
		fmt.Fprintf(&text, "\nPlace %d, at line %d of the folder's file. Before:\n%s\nIn the folder now:\n%s\nIn your worktree:\n%s\n",
			i+1, c.Line, quoted(c.Base), quoted(c.Folder), quoted(c.Worktree))
	}
	now, err := readFolder(root, f.Path, nil)
	switch {
	case err != nil:
		return text.String(), now, false
	case now.kind == lifecycle.FileNone:
		text.WriteString("\nThe folder does not have it any more.\n")
	case now.kind == lifecycle.FileLink:
		fmt.Fprintf(&text, "\nIn the folder it is a link to %s now.\n", now.content)
	case binary(now.content) || !utf8.Valid(now.content):
		text.WriteString("\nThe folder's file is not text.\n")
		return text.String(), now, false
	case len(now.content) > longestWhole:
		fmt.Fprintf(&text, "\nThe folder's file is too long to be quoted here: it is %s.\n", words.Size(int64(len(now.content))))
		return text.String(), now, false
	default:
		fmt.Fprintf(&text, "\nThe folder's file now, whole:\n%s\n", quoted(string(now.content)))
	}
	return text.String(), now, f.From == ""
}

// SendBack notes what a subagent is told, and has send tell it. If that fails nothing is noted.
func (p *Plan) SendBack(contents apply.Contents, send func(text string) error) error {
	text, told, kept, err := p.Message()
	if err != nil {
		return err
	}
	for _, content := range kept {
		if _, err := contents.Keep(content, ""); err != nil {
			return fmt.Errorf("keep what the folder holds: %w", err)
		}
	}
	if err := contents.Sync(); err != nil {
		return fmt.Errorf("keep what the folder holds: %w", err)
	}
	before := p.note
	noted := before
	noted.SentBack = maps.Clone(before.SentBack)
	if noted.SentBack == nil {
		noted.SentBack = map[string]worktree.SentBack{}
	}
	maps.Copy(noted.SentBack, told)
	if err := noted.Save(); err != nil {
		return err
	}
	if err := send(text); err != nil {
		return errors.Join(err, before.Save())
	}
	p.note = noted
	return nil
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
