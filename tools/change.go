package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// change is a new content for one file, planned and not yet made.
type change struct {
	path string    // located
	old  *snapshot // nil: there is no such file
	data []byte
	note string // what the plan has to say about it
}

func (c change) before() digest {
	if c.old == nil {
		return digest{}
	}
	return c.old.sum()
}

// preview is what a person was asked about: a change of that file while it held
// that.
type preview struct {
	path   string
	before digest
}

func (c change) preview() preview { return preview{path: c.path, before: c.before()} }

// Preview plans a change for the permission to it, and keeps for Apply what is shown
// of it.
func (w *Workspace) Preview(call lifecycle.CallID, plan func() (change, error)) (change, error) {
	c, err := plan()
	if err != nil {
		return change{}, err
	}
	w.mu.Lock()
	w.shown[call] = c.preview()
	w.mu.Unlock()
	return c, nil
}

// apply plans a change and makes it. If it was shown to somebody, it must still
// be what was shown: neither the file nor where its path leads may have changed,
// other than by another call that was allowed as well.
func (w *Workspace) apply(call lifecycle.CallID, plan func() (change, error)) (change, error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	w.mu.Lock()
	shown, asked := w.shown[call]
	delete(w.shown, call)
	w.mu.Unlock()
	c, err := plan()
	if err != nil {
		return change{}, err
	}
	last, _ := w.known(c.path)
	ours := last.own && last.sum == c.before() && shown.path == c.path
	if asked && shown != c.preview() && !ours {
		return change{}, fmt.Errorf("%s was changed by another program after this call was allowed, so nothing was written: read it again", words.Path(c.path))
	}
	var old fs.FileInfo
	if c.old != nil {
		old = c.old.info
	}
	if err := w.save(c.path, c.data, old); err != nil {
		return change{}, err
	}
	w.saw(c.path, sight{sum: snapshot{data: c.data}.sum(), own: true})
	return c, nil
}

// target locates a file that is to be changed and loads what is in it, nil if it
// does not exist.
func (w *Workspace) target(name string) (string, *snapshot, error) {
	if w.holding(name) != nil {
		return "", nil, fmt.Errorf("%s is in the folder of kept outputs, which is read-only: name a file in the folder %s", words.Path(name), w.folder)
	}
	path, err := w.locate(name)
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
	if absent := (*absentError)(nil); errors.As(err, &absent) {
		return path, nil, err
	}
	if err != nil {
		return path, nil, err
	}
	if err := w.writable(path, old.info); err != nil {
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
	f, _, err := w.open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	return f.Close()
}

// fresh refuses a file that has changed since the model last saw it.
func (w *Workspace) fresh(path string, now snapshot) error {
	if last, ok := w.known(path); ok && last.sum != now.sum() {
		return fmt.Errorf("%s has changed since you read it, so nothing was written: read it again, then repeat the change on what it holds now", words.Path(path))
	}
	return nil
}
