package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/outputs"
)

// Workspace is the one door to the file system: the tree below one folder, and
// nothing outside it. Paths go in as a model writes them, relative to the folder
// or absolute, and Locate turns them into located ones, which all else takes:
// relative, with slashes, without symbolic links. Errors are one line for the model.
//
// It remembers what each file held when it was last read or written through it,
// so that nothing is overwritten that nobody has seen. A run has one workspace;
// its methods may be called from any goroutine.
type Workspace struct {
	// Outputs, where it is set, may be read too, by absolute paths. Set it before
	// the first use.
	Outputs *outputs.Store
	// Also gives folders elsewhere that may be read too, by absolute paths, under the same rules; nil
	// gives none. It is set before the first use, and asked about paths that are not inside.
	Also func() []string
	// Files, where it is set, keeps what changed files held before and after. Set it before the
	// first use.
	Files *filestore.Store
	// Readable refuses files that are not to be read, by their located paths, with a
	// text for the model; nil refuses none. It is set before the first call.
	Readable func(path string) error
	// Changing is told of each change of a file before it is made, by its located path, and
	// changed when that is over, with the hash of what the file holds now; empty: it was not
	// changed. Nil is allowed. It is set before the first call.
	Changing func(path string) (changed func(hash string))
	// Own are folders of Pawl's, by their whole paths, in which nothing is changed
	// without a question, should they be inside. It is set before the first call.
	Own []string

	folder string // absolute, without symbolic links
	given  string // absolute, as the caller named it
	root   *os.Root
	above  Rules // ignore rules that stand outside the folder but reach into it
	kept   bool  // it is that of kept outputs: read only, and paths are told in full

	mu      sync.Mutex
	outputs *Workspace            // that of Outputs, once something was looked up there
	also    map[string]*Workspace // those of Also, once something was looked up there
	seen    map[string]lastSeen
	shown   map[lifecycle.CallID]preview

	changing sync.Mutex        // one change of a file at a time, from its check to its rename
	keptAt   map[string]string // by path, the hash of what was kept last: what stands there later is like it
}

// Open opens a folder, and reads the ignore rules that reach into it from above. Close it.
func Open(folder string) (*Workspace, error) {
	w, err := openFolder(folder)
	if err != nil {
		return nil, err
	}
	w.above = w.rulesAbove()
	return w, nil
}

// openFolder opens a folder into which no ignore rules reach.
func openFolder(folder string) (*Workspace, error) {
	given, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", folder, err)
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", folder, err)
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", folder, err)
	}
	return &Workspace{
		folder: real,
		given:  given,
		root:   root,
		seen:   map[string]lastSeen{},
		shown:  map[lifecycle.CallID]preview{},
		keptAt: map[string]string{},
	}, nil
}

// Beside opens another folder to read from under the same rules: Readable is asked about
// whole paths there, and paths are told in full. Close it.
func (w *Workspace) Beside(folder string) (*Workspace, error) {
	there, err := openFolder(folder)
	if err != nil {
		return nil, err
	}
	there.kept = true
	if allowed := w.Readable; allowed != nil {
		there.Readable = func(at string) error { return allowed(filepath.Join(there.folder, filepath.FromSlash(at))) }
	}
	return there, nil
}

// Close gives the folder back. Tools that still use the workspace then fail.
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.outputs != nil {
		_ = w.outputs.root.Close() // it was only read
	}
	for _, there := range w.also {
		_ = there.root.Close() // likewise
	}
	return w.root.Close()
}

// Folder is the workspace's folder: absolute, without symbolic links.
func (w *Workspace) Folder() string { return w.folder }

// ForReading is the workspace in which a path is looked up that is only read: that of
// the kept outputs or of a folder of Also, or this one.
func (w *Workspace) ForReading(name string) *Workspace {
	if kept := w.holding(name); kept != nil {
		return kept
	}
	if there := w.elsewhere(name); there != nil {
		return there
	}
	return w
}

// elsewhere gives the workspace of a folder of Also for an absolute path below it that is not in this
// one; nil for any other.
func (w *Workspace) elsewhere(name string) *Workspace {
	if _, inside := w.Inside(name); inside || !filepath.IsAbs(name) || w.Also == nil {
		return nil
	}
	for _, folder := range w.Also() {
		if rel, err := filepath.Rel(folder, filepath.Clean(name)); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		there, open := w.also[folder]
		if !open {
			var err error
			if there, err = w.Beside(folder); err != nil {
				return nil // it is gone
			}
			if w.also == nil {
				w.also = map[string]*Workspace{}
			}
			w.also[folder] = there
		}
		return there
	}
	return nil
}

// holding gives the workspace of the kept outputs for an absolute path below them, nil
// for any other.
func (w *Workspace) holding(name string) *Workspace {
	if w.Outputs == nil || !filepath.IsAbs(name) {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.outputs == nil {
		kept, err := openFolder(w.Outputs.Folder())
		if err != nil {
			return nil // nothing is kept yet
		}
		kept.kept, w.outputs = true, kept
	}
	if _, below := w.outputs.Inside(name); !below {
		return nil
	}
	return w.outputs
}
