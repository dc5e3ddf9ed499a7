package apply

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"pawl/internal/failpoint"
	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// reach is where tests kill the process, at each step.
var reach = failpoint.Reach

// Run checks all files, writes the journal, puts the files in place, calls record, which appends
// Landed or Rewound durably, and removes the journal. It returns what it changed: Before is what
// stood there, which is kept. On any error, record's included, everything is as before; the error
// is one line and names the file. journal is a folder of the session in the data folder. One
// process at a time may use a journal folder; that is whoever holds the session's lock.
//
// If not everything can be put back the error is a *LeftError, and where that may succeed later the
// journal stays, for Recover.
func Run(ctx context.Context, journal string, contents Contents, set Set, record func(context.Context) error) ([]lifecycle.FileChange, error) {
	if folder, _, pending := Pending(journal); pending {
		return nil, fmt.Errorf("an earlier landing or rewind in %s was cut off: open the session again, which finishes it", folder)
	}
	root, err := regular.OpenRoot(set.Folder)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", set.Folder, plainCause(err))
	}
	defer root.Close()
	o := operation{folder: newFolder(root, contents), journal: journal}
	changed, err := o.check(set)
	if err != nil {
		return nil, err
	}
	if len(o.changes) == 0 {
		return changed, record(ctx)
	}
	if err := writeJournal(journal, o.written); err != nil {
		_ = removeJournal(journal) // the first error says what is wrong
		return nil, fmt.Errorf("nothing was changed: write the journal: %w", plainCause(err))
	}
	reach("apply.journal")
	if err := o.carryOut(ctx, record); err != nil {
		return nil, o.back(err)
	}
	reach("apply.recorded")
	return changed, o.finish()
}

// operation is one Run.
type operation struct {
	folder
	journal string
	written journaled
	changes []change
}

// check looks at all files, keeps what stands there and plans the changes. Nothing is changed yet.
func (o *operation) check(set Set) ([]lifecycle.FileChange, error) {
	o.written = journaled{Version: journalVersion, Set: set, Folders: map[string]uint32{}}
	goes := map[string]bool{}
	for _, file := range set.Files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) || path.Clean(file.Path) != file.Path || file.Path == "." {
			return nil, fmt.Errorf("%s is no path inside the folder", words.Path(file.Path))
		}
		if _, twice := goes[file.Path]; twice {
			return nil, fmt.Errorf("%s is named twice", words.Path(file.Path))
		}
		goes[file.Path] = file.Want.Kind == lifecycle.FileNone
	}
	var changed []lifecycle.FileChange
	for _, file := range set.Files {
		c, err := o.plan(file, goes)
		if err != nil {
			return nil, fmt.Errorf("nothing was changed: %w", about(file.Path, err))
		}
		if !file.Expect.Same(file.Want) {
			o.changes = append(o.changes, c)
			changed = append(changed, lifecycle.FileChange{Path: file.Path, Before: file.Expect, After: file.Want})
		}
	}
	inOrder(o.changes)
	for i := range o.changes {
		o.changes[i].temp = o.written.temporary(i)
		o.noteFolders(o.changes[i].path)
	}
	o.written.Files = nil
	for _, c := range o.changes { // in their order: the journal's place names the temporary file
		o.written.Files = append(o.written.Files, File{Path: c.path, Expect: c.from, Want: c.to})
	}
	if err := o.contents.Sync(); err != nil {
		return nil, fmt.Errorf("nothing was changed: what stands in the folder could not be kept: %w", err)
	}
	return changed, nil
}

// plan checks one file.
func (o *operation) plan(file File, goes map[string]bool) (change, error) {
	now, err := look(o.root, file.Path)
	if err != nil {
		return change{}, err
	}
	if now.folder && file.Expect.Kind == lifecycle.FileNone && file.Want.Kind != lifecycle.FileNone && emptied(file.Path, goes) {
		now = standing{}
	}
	if now.folder || !now.Same(file.Expect) {
		return change{}, errors.New(differs(now, file.Expect))
	}
	if now.Kind == lifecycle.FileRegular && now.Mode&0o222 == 0 && file.Want.Kind == lifecycle.FileRegular && file.Want.Mode == now.Mode {
		return change{}, errors.New("it is read-only") // a rename would replace it, which is not what its owner meant
	}
	if now.Kind != lifecycle.FileNone {
		if _, err := o.contents.Keep(now.content, file.Want.Hash); err != nil {
			return change{}, err
		}
	}
	if file.Want.Kind != lifecycle.FileNone {
		if _, err := o.contents.Read(file.Want.Hash); err != nil {
			return change{}, err
		}
	}
	return change{path: file.Path, from: file.Expect, to: file.Want, info: now.info, blocked: blocked(file.Path, goes)}, nil
}

// blocked reports whether a file that goes stands where a folder above a path is to be.
func blocked(at string, goes map[string]bool) bool {
	for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
		if goes[dir] {
			return true
		}
	}
	return false
}

// emptied reports whether a folder stands where a file is to stand, and files in it go.
func emptied(at string, goes map[string]bool) bool {
	for other, gone := range goes {
		if gone && strings.HasPrefix(other, at+"/") {
			return true
		}
	}
	return false
}

// noteFolders notes which folders are above a path.
func (o *operation) noteFolders(at string) {
	for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
		if _, noted := o.written.Folders[dir]; noted {
			return
		}
		if info, err := o.root.Lstat(filepath.FromSlash(dir)); err == nil && info.IsDir() {
			o.written.Folders[dir] = uint32(info.Mode().Perm())
		}
	}
}

// carryOut puts all files in place and has that recorded. What takes room on the disk comes before
// the first file that anybody can see.
func (o *operation) carryOut(ctx context.Context, record func(context.Context) error) error {
	if err := o.stageAll(ctx); err != nil {
		return err
	}
	for i := range o.changes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c := &o.changes[i]
		if err := o.make(c); err != nil {
			return about(c.path, err)
		}
		if c.to.Kind == lifecycle.FileNone {
			o.prune(c.path, func(string) bool { return false })
		}
		reach("apply.file")
	}
	if err := o.sync(); err != nil {
		return err
	}
	reach("apply.record")
	return record(ctx)
}

// stageWidth is how many files are brought to the disk at once: a disk flush takes long, and as long
// for many.
const stageWidth = 16

// stageAll stages what can be, many at a time, and returns the first error.
func (o *operation) stageAll(ctx context.Context) error {
	places, failed := make(chan struct{}, stageWidth), make(chan error, 1)
	var all sync.WaitGroup
	for i := range o.changes {
		c := &o.changes[i]
		if c.blocked || len(failed) > 0 {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			if err := o.stage(c); err != nil {
				select {
				case failed <- about(c.path, err):
				default: // one tells enough
				}
			}
		})
		if i == len(o.changes)/2 {
			reach("apply.staged")
		}
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return context.Cause(ctx)
	}
}

// finish ends an operation that is recorded. The journal that could not be removed is removed by
// Recover, which finds the record.
func (o *operation) finish() error {
	_ = removeJournal(o.journal)
	return nil
}

// back undoes what was done, and words why.
func (o *operation) back(why error) error {
	left, err := undo(o.folder, o.written)
	switch {
	case err != nil:
		return fmt.Errorf("%w; some files could not be put back, which Pawl tries again when the session is opened: %w", why, err)
	case len(left) > 0:
		_ = removeJournal(o.journal)
		return fmt.Errorf("%w; %w", why, &LeftError{Files: left})
	}
	if err := removeJournal(o.journal); err != nil {
		return fmt.Errorf("%w; everything is as before, but the journal in %s could not be removed: %w", why, o.journal, plainCause(err))
	}
	if _, is := errors.AsType[*fileError](why); is {
		return fmt.Errorf("nothing was changed: %w", why)
	}
	return why
}
