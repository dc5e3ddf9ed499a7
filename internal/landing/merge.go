package landing

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"pawl/lifecycle"
	"pawl/tools/git"
)

// merger merges files aside.
type merger struct {
	repository git.Repository
	scratch    *git.Scratch
	n          int             // merged so far
	goes       map[string]bool // files of the folder that are to be deleted
}

// outcome is how a merge went.
type outcome struct {
	state     State
	why       string
	conflicts []Conflicting
	side      side // what is to stand there
}

func conflict(why string) outcome { return outcome{state: Conflict, why: why} }

// merge decides what is to stand at a path: base is what both sides began with, ours what stands
// there now, theirs what the subagent made of it.
func (m *merger) merge(ctx context.Context, base, ours, theirs side) (outcome, error) {
	mode := ours.mode
	if theirs.executable() != base.executable() && theirs.kind == lifecycle.FileRegular && base.kind == lifecycle.FileRegular {
		mode = asExecutable(ours.mode, theirs.executable())
	}
	none := lifecycle.FileNone
	switch {
	case ours.holds(theirs):
		return reached(ours, ours.withMode(mode)), nil
	case ours.holds(base) || ours.kind == lifecycle.FileRegular && base.pointsTo(ours):
		if ours.kind == lifecycle.FileRegular && theirs.kind == lifecycle.FileRegular {
			theirs.mode = mode
		}
		return reached(ours, theirs), nil
	case ours.kind == none && base.kind != none: // also where it was only renamed, or made executable
		return conflict("it was deleted in the folder, and changed by the subagent"), nil
	case theirs.holds(base):
		return reached(ours, ours.withMode(mode)), nil
	case base.kind == none:
		return conflict("the folder has another file of this name"), nil
	case theirs.kind == none:
		return conflict("the subagent deleted it, and it was changed in the folder"), nil
	case ours.kind != lifecycle.FileRegular || theirs.kind != lifecycle.FileRegular || base.kind != lifecycle.FileRegular:
		return conflict("it is a link, and was changed on both sides"), nil
	case binary(base.content) || binary(ours.content) || binary(theirs.content):
		return conflict("it is binary, and was changed on both sides"), nil
	}
	return m.mergeText(ctx, base, ours.withMode(mode), ours, theirs)
}

func (s side) withMode(mode uint32) side {
	if s.kind == lifecycle.FileRegular {
		s.mode = mode
	}
	return s
}

// reached is the outcome where nothing stands in the way.
func reached(ours, want side) outcome {
	if ours.state().Same(want.state()) {
		return outcome{state: There, side: want}
	}
	return outcome{state: Lands, side: want}
}

func (m *merger) mergeText(ctx context.Context, base, want, ours, theirs side) (outcome, error) {
	if ends := lineEnds(ours.content); ends != "" { // the folder's file says how its lines end
		base.content, theirs.content = adapted(base.content, ends), adapted(theirs.content, ends)
	}
	m.n++
	var paths []string
	for i, content := range [][]byte{ours.content, base.content, theirs.content} {
		path := m.scratch.Path("side-" + strconv.Itoa(i))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return outcome{}, fmt.Errorf("merge aside: %w", err)
		}
		paths = append(paths, path)
	}
	text, conflicts, err := m.repository.MergeFile(ctx, paths[0], paths[1], paths[2], false)
	if err != nil {
		return outcome{}, err
	}
	if conflicts == 0 {
		want.content = text
		return reached(ours, want), nil
	}
	if text, _, err = m.repository.MergeFile(ctx, paths[0], paths[1], paths[2], true); err != nil {
		return outcome{}, err
	}
	found := conflictsIn(text, ours.content)
	why := "both sides changed line " + strconv.Itoa(found[0].Line)
	if len(found) > 1 {
		why = fmt.Sprintf("both sides changed %d places, the first at line %d", len(found), found[0].Line)
	}
	return outcome{state: Conflict, why: why, conflicts: found}, nil
}

// adapted is a text whose lines all end in one way, made to end as those of the folder's file do.
func adapted(text []byte, ends string) []byte {
	if own := lineEnds(text); own == "" || own == ends {
		return text
	}
	return withEnds(text, ends)
}

// conflictsIn reads what git marks in a merged text.
func conflictsIn(text, ours []byte) (all []Conflicting) {
	mark := func(line []byte, c byte) bool { // git puts a blank behind it where it has no label to put
		line = bytes.TrimRight(line, " \r\n")
		return len(line) == git.MarkerSize && bytes.Count(line, []byte{c}) == git.MarkerSize
	}
	var at *string
	var now Conflicting
	below := 0
	for line := range bytes.Lines(text) {
		switch {
		case mark(line, '<'):
			now = Conflicting{}
			at = &now.Folder
		case at != nil && mark(line, '|'):
			at = &now.Base
		case at != nil && mark(line, '='):
			at = &now.Worktree
		case at != nil && mark(line, '>'):
			now.Line, below = lineOf(ours, now.Folder, below)
			all, at = append(all, now), nil
		case at != nil:
			*at += string(line)
		}
	}
	if len(all) == 0 { // git counted some, so this is not reached
		all = append(all, Conflicting{Line: 1})
	}
	return all
}

// lineOf is the line of a text at which a part of it stands, not before an offset, and the offset
// behind it.
func lineOf(text []byte, part string, from int) (line, end int) {
	at := bytes.Index(text[from:], []byte(part))
	if at < 0 || part == "" {
		at = 0
	}
	at += from
	return bytes.Count(text[:at], []byte("\n")) + 1, min(at+len(part), len(text))
}
