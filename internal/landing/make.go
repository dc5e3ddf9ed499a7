package landing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pawl/internal/regular"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/git"
)

// Source is what a plan is made of.
type Source struct {
	Repository git.Repository // of the session's folder, which the user trusts
	Note       worktree.Note  // of the worktree; nobody may be at work in it
	Scratch    string         // a folder below which things are worked out
	// Read gives a content of the session's file store. Nil: nothing was kept.
	Read func(hash string) ([]byte, error)
}

// Make works out what landing a worktree would do to its folder as it is now. Nothing outside of the
// scratch folder is changed.
func Make(ctx context.Context, from Source, choice Choice) (*Plan, error) {
	n := from.Note
	folder, err := filepath.EvalSymlinks(n.Folder)
	if err != nil {
		return nil, fmt.Errorf("land in %s: %w", n.Folder, err)
	}
	within, err := filepath.Rel(n.Top, folder)
	if err != nil || !filepath.IsLocal(within) {
		return nil, fmt.Errorf("land in %s: it is not in the checkout %s that the worktree was made from", folder, n.Top)
	}
	p := &Plan{kept: from.Read, Agent: n.Agent, Folder: folder, Worktree: n.Path, Branch: n.Branch, repository: from.Repository, note: n}
	if within != "." {
		p.within = filepath.ToSlash(within) + "/"
	}
	if p.scratch, err = from.Repository.NewScratch(ctx, from.Scratch); err != nil {
		return nil, err
	}
	if err := p.read(ctx, choice); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// read finds what the worktree holds, and merges it.
func (p *Plan) read(ctx context.Context, choice Choice) error {
	now, err := p.repository.Snapshot(ctx, p.scratch, p.Worktree)
	if err != nil {
		return err
	}
	p.tree, p.head = now.Tree, now.Head
	base := p.note.Beginning()
	differences, err := p.repository.Differences(ctx, p.scratch, base, now.Tree)
	if err != nil {
		return err
	}
	skipped, err := p.repository.Skipped(ctx)
	if err != nil {
		return err
	}
	for _, d := range differences {
		f := File{Path: p.relative(d.Path), difference: d}
		if d.From != "" {
			f.From = p.relative(d.From)
		}
		if f.Why = p.refuse(d, now.Unmerged, skipped); f.Why != "" {
			f.State = Left
			f.Path, f.From = valid(f.Path), valid(f.From)
		}
		p.Files = append(p.Files, f)
	}
	slices.SortStableFunc(p.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	if err := p.extract(ctx, base); err != nil {
		return err
	}
	return p.mergeAll(ctx, choice)
}

// valid is a name that people can read and the log can hold.
func valid(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return strconv.Quote(name)
}

// relative is the path of a file of the checkout, relative to the folder.
func (p *Plan) relative(name string) string {
	if inside, is := strings.CutPrefix(name, p.within); is {
		return inside
	}
	out, err := filepath.Rel(filepath.FromSlash(strings.TrimSuffix(p.within, "/")), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(out)
}

// refuse says why a difference is not for landing; empty: it is.
func (p *Plan) refuse(d git.Difference, unmerged []string, skipped map[string]bool) string {
	for _, name := range []string{d.Path, d.From} {
		switch {
		case name == "":
		case !utf8.ValidString(name):
			return "its name is not UTF-8"
		case !strings.HasPrefix(name, p.within):
			return "it is outside of the session's folder"
		case skipped[name]:
			return "the folder is a sparse checkout without it"
		}
	}
	switch {
	case d.OldMode == git.ModeRepository || d.NewMode == git.ModeRepository:
		return "it is another repository: submodules are not landed"
	case slices.Contains(unmerged, d.Path):
		return "it is in the middle of a merge in the worktree"
	}
	return ""
}

// extract writes out the files of both trees, for merging.
func (p *Plan) extract(ctx context.Context, base string) error {
	var before, after []string
	for _, f := range p.Files {
		if f.State == Left {
			continue
		}
		if f.difference.OldMode != git.ModeNone {
			before = append(before, cmp.Or(f.difference.From, f.difference.Path))
		}
		if f.difference.NewMode != git.ModeNone {
			after = append(after, f.difference.Path)
		}
	}
	for _, one := range []struct {
		tree, folder string
		names        []string
	}{{base, "before", before}, {p.tree, "after", after}} {
		err := os.Mkdir(p.scratch.Path(one.folder), 0o700)
		if err == nil || errors.Is(err, fs.ErrExist) {
			err = p.repository.Extract(ctx, p.scratch, one.tree, one.names, p.scratch.Path(one.folder))
		}
		if err != nil {
			return err
		}
	}
	return os.Mkdir(p.scratch.Path("merged"), 0o700)
}

// roots are the folders that the three sides are read from.
type roots struct{ before, after, folder *os.Root }

func (p *Plan) open() (r roots, closeAll func(), err error) {
	var opened []*os.Root
	closeAll = func() {
		for _, one := range opened {
			one.Close()
		}
	}
	for _, one := range []struct {
		to   **os.Root
		path string
	}{{&r.before, p.scratch.Path("before")}, {&r.after, p.scratch.Path("after")}, {&r.folder, p.Folder}} {
		if *one.to, err = regular.OpenRoot(one.path); err != nil {
			closeAll()
			return r, nil, fmt.Errorf("land in %s: %w", p.Folder, err)
		}
		opened = append(opened, *one.to)
	}
	return r, closeAll, nil
}

// mergeAll reads and merges what the choice asks for.
func (p *Plan) mergeAll(ctx context.Context, choice Choice) error {
	r, closeAll, err := p.open()
	if err != nil {
		return err
	}
	defer closeAll()
	m := &merger{repository: p.repository, scratch: p.scratch, goes: map[string]bool{}}
	for i := range p.Files {
		if p.Files[i].State == Left {
			continue
		}
		if err := p.readHunks(r, &p.Files[i]); err != nil {
			return err
		}
	}
	if err := choice.check(p.Files); err != nil {
		return err
	}
	for _, deletions := range []bool{true, false} { // where a file goes a folder may come, and the other way round
		for i := range p.Files {
			f := &p.Files[i]
			if f.State == Left || deletions != (f.difference.NewMode == git.ModeNone) {
				continue
			}
			if err := p.mergeChosen(ctx, m, r, f, choice); err != nil {
				return fmt.Errorf("land %s: %w", f.Path, err)
			}
		}
	}
	return nil
}

func (p *Plan) mergeChosen(ctx context.Context, m *merger, r roots, f *File, choice Choice) error {
	hunks, chosen := choice.of(*f)
	if !chosen {
		f.State, f.Why = Left, notChosen
		return nil
	}
	f.Chosen = hunks
	if err := p.mergeOne(ctx, m, r, f); err != nil {
		return err
	}
	for _, one := range f.puts {
		if one.want.Kind == lifecycle.FileNone {
			m.goes[one.path] = true
		}
	}
	return nil
}

const notChosen = "it was not chosen"

// sides are the base and the subagent's side of a file. Of one that was sent back, and that the
// subagent has changed since, the base is what it was told that the folder holds.
func (p *Plan) sides(r roots, f *File) (base, theirs side, err error) {
	d := f.difference
	if told, is := p.note.SentBack[f.Path]; is && told.Worktree != objectOf(d) {
		base, err = p.toldOf(told)
	} else {
		base, err = readTree(r.before, cmp.Or(d.From, d.Path), d.OldMode)
	}
	if err != nil {
		return base, theirs, err
	}
	theirs, err = readTree(r.after, d.Path, d.NewMode)
	return base, theirs, err
}

// objectOf is the object that a worktree has at a path; empty: none.
func objectOf(d git.Difference) string {
	if d.NewMode == git.ModeNone {
		return ""
	}
	return d.New
}

// toldOf is what a subagent was told that the folder holds.
func (p *Plan) toldOf(told worktree.SentBack) (side, error) {
	s := side{kind: told.Folder.Kind, mode: told.Folder.Mode}
	if s.kind == lifecycle.FileNone || p.kept == nil {
		return s, nil
	}
	var err error
	s.content, err = p.kept(told.Folder.Hash)
	return s, err
}

// readHunks finds what the subagent changed in a file.
func (p *Plan) readHunks(r roots, f *File) error {
	base, theirs, err := p.sides(r, f)
	if refused := refusal(""); errors.As(err, &refused) {
		f.State, f.Why = Left, string(refused)
		return nil
	}
	if err != nil {
		return err
	}
	f.Before, f.After = base.state(), theirs.state()
	f.Binary = binary(base.content) || binary(theirs.content)
	if f.Binary || base.kind == lifecycle.FileLink || theirs.kind == lifecycle.FileLink {
		return nil
	}
	f.Hunks, f.Added, f.Removed = hunksOf(base.content, theirs.content)
	return nil
}

// mergeOne merges a file, and notes what is to be put in place.
func (p *Plan) mergeOne(ctx context.Context, m *merger, r roots, f *File) error {
	base, theirs, err := p.sides(r, f)
	if err != nil {
		return err
	}
	if f.partly() {
		theirs = side{lifecycle.FileRegular, cmp.Or(theirs.mode, base.mode), spliced(base.content, theirs.content, f.Hunks, f.Chosen)}
	}
	err = p.place(ctx, m, r.folder, f, base, theirs)
	if refused := refusal(""); errors.As(err, &refused) {
		f.State, f.Why, f.puts = Conflict, string(refused), nil
		return nil
	}
	for i, c := range f.Conflicts {
		f.Conflicts[i].Hunks = f.hunksAt(theirs.content, c.Worktree)
	}
	return err
}

// hunksAt are the hunks of which a part of the subagent's side is.
func (f File) hunksAt(theirs []byte, part string) (numbers []int) {
	first, _ := lineOf(theirs, part, 0)
	last := first + strings.Count(part, "\n")
	for i, h := range f.Hunks {
		if h.NewLine <= last && first <= h.NewLine+h.NewLines {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// place merges a file with what stands in the folder, where it may have been renamed too.
func (p *Plan) place(ctx context.Context, m *merger, folder *os.Root, f *File, base, theirs side) error {
	at, err := readFolder(folder, f.Path, m.goes)
	if err != nil {
		return err
	}
	if f.From == "" {
		return p.settle(ctx, m, f, base, at, at, theirs)
	}
	was, err := readFolder(folder, f.From, m.goes)
	if err != nil {
		return err
	}
	none := lifecycle.FileNone
	switch {
	case was.kind == none:
		return p.settle(ctx, m, f, base, at, at, theirs)
	case at.kind == none:
		err = p.settle(ctx, m, f, base, was, at, theirs)
	case at.holds(theirs) && was.holds(base):
		err = p.settle(ctx, m, f, base, at, at, theirs)
	default:
		return refusal("the folder has another file of this name, beside " + f.From)
	}
	if err == nil && f.State != Conflict {
		f.State = Lands
		f.puts = append(f.puts, put{path: f.From, expect: was.state()})
	}
	return err
}

// settle merges a file and notes the outcome. ours is what is merged, and standing what stands at the
// file's path.
func (p *Plan) settle(ctx context.Context, m *merger, f *File, base, ours, standing, theirs side) error {
	out, err := m.merge(ctx, base, ours, theirs)
	if err != nil {
		return err
	}
	f.State, f.Why, f.Conflicts = out.state, out.why, out.conflicts
	want := out.side.state()
	if out.state == Conflict || standing.state().Same(want) {
		return nil
	}
	f.State = Lands
	one := put{path: f.Path, expect: standing.state(), want: want}
	if out.side.kind != lifecycle.FileNone {
		if len(out.side.content) > longest {
			return tooLarge()
		}
		one.content = p.scratch.Path("merged", strconv.Itoa(m.n)+"-"+want.Hash)
		if err := os.WriteFile(one.content, out.side.content, 0o600); err != nil {
			return fmt.Errorf("merge aside: %w", err)
		}
	}
	f.puts = append(f.puts, one)
	return nil
}
