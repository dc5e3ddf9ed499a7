package tools

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/outputs"
)

// Workspace is the one door to the file system: the tree below one folder, and
// nothing outside it. Paths go in as a model writes them, relative to the folder
// or absolute; inside this package they travel as locate gives them: relative,
// with slashes, without symbolic links.
//
// It remembers what each file held when it was last read or written through it,
// so that nothing is overwritten that nobody has seen. A run has one workspace;
// its methods may be called from any goroutine.
type Workspace struct {
	// Outputs, where it is set, may be read too, by absolute paths. Set it before
	// the first use.
	Outputs *outputs.Store
	// Readable refuses files that are not to be read, by their located paths, with a
	// text for the model; nil refuses none. It is set before the first call.
	Readable func(path string) error
	// Own are folders of Pawl's, by their whole paths, in which nothing is changed
	// without a question, should they be inside. It is set before the first call.
	Own []string

	folder string // absolute, without symbolic links
	given  string // absolute, as the caller named it
	root   *os.Root
	above  rules // ignore rules that stand outside the folder but reach into it
	kept   bool  // it is that of kept outputs: read only, and paths are told in full

	mu      sync.Mutex
	outputs *Workspace // that of Outputs, once something was looked up there
	seen    map[string]sight
	shown   map[lifecycle.CallID]preview

	changing sync.Mutex // one change of a file at a time, from its check to its rename
}

// digest stands for the whole content of a file.
type digest [sha256.Size]byte

// sight is what a file held when it was last read or written here.
type sight struct {
	sum digest
	own bool // it was written
}

// NewWorkspace opens a folder. Close it.
func NewWorkspace(folder string) (*Workspace, error) {
	w, err := openWorkspace(folder)
	if err != nil {
		return nil, err
	}
	w.above = w.rulesAbove()
	return w, nil
}

// openWorkspace opens a folder into which no ignore rules reach.
func openWorkspace(folder string) (*Workspace, error) {
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
		seen:   map[string]sight{},
		shown:  map[lifecycle.CallID]preview{},
	}, nil
}

// Beside opens another folder to read from under the same rules: Readable is asked about
// whole paths there, and paths are told in full. Close it.
func (w *Workspace) Beside(folder string) (*Workspace, error) {
	there, err := openWorkspace(folder)
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
	return w.root.Close()
}

// Folder is the workspace's folder: absolute, without symbolic links.
func (w *Workspace) Folder() string { return w.folder }

// reading is the workspace in which a path is looked up that is only read: that of
// the kept outputs, or this one.
func (w *Workspace) reading(name string) *Workspace {
	if kept := w.holding(name); kept != nil {
		return kept
	}
	return w
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
		kept, err := openWorkspace(w.Outputs.Folder())
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

// title is how a located path is told to a model, so that the same path comes
// back: in full where it is not below the folder of the run.
func (w *Workspace) title(path string) string {
	if w.kept {
		path = filepath.Join(w.given, filepath.FromSlash(path))
	}
	return words.Path(path)
}

// stat says what stands at a located path, without following a link.
func (w *Workspace) stat(path string) (fs.FileInfo, error) {
	info, err := w.root.Lstat(filepath.FromSlash(path))
	if err != nil {
		return nil, w.explain(path, err)
	}
	return info, nil
}

// Readlink is where the link at a located path leads, in its own words; empty where
// that cannot be read.
func (w *Workspace) Readlink(path string) string {
	target, _ := w.root.Readlink(filepath.FromSlash(path))
	return target
}

// MarkSeen remembers that the model has seen all of a file, whose content has that
// sum.
func (w *Workspace) MarkSeen(path string, sum [sha256.Size]byte) { w.saw(path, sight{sum: sum}) }

// Seen says whether the model has seen a file, whatever that holds now.
func (w *Workspace) Seen(path string) bool {
	_, ok := w.known(path)
	return ok
}

// saw remembers what a file holds now, as far as the model knows.
func (w *Workspace) saw(path string, now sight) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[path] = now
}

// known gives what the model has last seen of a file, if it has.
func (w *Workspace) known(path string) (sight, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, ok := w.seen[path]
	return last, ok
}
