package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Change is a new content for one file, planned and not yet made.
type Change struct {
	Path string    // located, as Target gives it
	Old  *Snapshot // what it replaces, as Target gives it; nil: there is no such file
	Data []byte    // all that the file is to hold
	Note string    // what the plan has to say about it

	// Changed is what Apply made of it, for the log; nil: nothing is kept here, or nothing changed.
	Changed *lifecycle.FilesChanged
	// OnRecorded is to be called once that stands in the log. Nil where Changed is.
	OnRecorded func()
}

func (c Change) before() digest {
	if c.Old == nil {
		return digest{}
	}
	return c.Old.sum()
}

// preview is what a person was asked about: a change of that file while it held
// that.
type preview struct {
	path   string
	before digest
}

func (c Change) preview() preview { return preview{path: c.Path, before: c.before()} }

// Preview plans a change for the permission to it, and keeps for the Apply of that call
// what is shown of it. It changes nothing.
func (w *Workspace) Preview(call lifecycle.CallID, plan func() (Change, error)) (Change, error) {
	c, err := plan()
	if err != nil {
		return Change{}, err
	}
	w.mu.Lock()
	w.shown[call] = c.preview()
	w.mu.Unlock()
	return c, nil
}

// Apply plans a change again and makes it for a call of a run, whole or not at all, one at a time. If
// it was shown to somebody, it must still be what was shown: neither the file nor where its path leads
// may have changed, other than by another call that was allowed as well.
//
// What the file held is in Files, on disk, before it is overwritten. Where it cannot be kept the change
// is made all the same, and its record says so.
func (w *Workspace) Apply(run lifecycle.RunID, call lifecycle.CallID, plan func() (Change, error)) (Change, error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	w.mu.Lock()
	shown, asked := w.shown[call]
	delete(w.shown, call)
	w.mu.Unlock()
	c, err := plan()
	if err != nil {
		return Change{}, err
	}
	last, _ := w.known(c.Path)
	ours := last.own && last.sum == c.before() && shown.path == c.Path
	if asked && shown != c.preview() && !ours {
		return Change{}, fmt.Errorf("%s was changed by another program after this call was allowed, so nothing was written: read it again", words.Path(c.Path))
	}
	var old fs.FileInfo
	if c.Old != nil {
		old = c.Old.Info
	}
	kept, changed := w.keep(run, call, c), w.changingFile(c.Path)
	defer func() { changed(kept.hash()) }()
	if err := w.save(c.Path, c.Data, old, kept); err != nil {
		kept.failed()
		return Change{}, err
	}
	if kept != nil {
		c.Changed, c.OnRecorded = &kept.record, kept.done
	}
	w.remember(c.Path, lastSeen{sum: Snapshot{Data: c.Data}.sum(), own: true})
	return c, nil
}

// Target locates a file that is to be changed and loads what is in it. One that does
// not exist is an AbsentError beside its located path; the kept outputs, folders, and what
// is not to be read or written, are refused.
func (w *Workspace) Target(name string) (string, *Snapshot, error) {
	if w.holding(name) != nil {
		return "", nil, fmt.Errorf("%s is in the folder of kept outputs, which is read-only: name a file in the folder %s", words.Path(name), w.folder)
	}
	path, err := w.Locate(name)
	if err != nil {
		return "", nil, err
	}
	if strings.HasSuffix(name, "/") || path == "." {
		return "", nil, fmt.Errorf("%s names a folder: name a file", words.Path(name))
	}
	if words.Path(path) != path { // a rule about paths must see the very path
		return "", nil, fmt.Errorf("the path %s holds control characters: files with such names can be changed only in shell", words.Path(path))
	}
	old, err := w.load(path, os.O_RDONLY)
	if _, is := errors.AsType[*AbsentError](err); is {
		return path, nil, err
	}
	if err != nil {
		return path, nil, err
	}
	if err := w.writable(path, old.Info); err != nil {
		return path, nil, err
	}
	return path, &old, nil
}

// writable refuses a file that says it is not to be written. A rename would
// replace it all the same, which is not what its owner meant.
func (w *Workspace) writable(path string, info fs.FileInfo) error {
	if info.Mode()&0o222 == 0 {
		return fmt.Errorf("%s is read-only (mode %v), so it was not changed", words.Path(path), info.Mode().Perm())
	}
	f, _, err := w.Open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	return f.Close()
}
