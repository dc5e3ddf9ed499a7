package trust

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/host"
	"pawl/internal/regular"
)

// Allowed is what the user has allowed for good in one folder, by answering questions.
// It stands in a file of the user's own, by folder, so that nothing in a folder can add
// to it. Every process of Pawl reads it again when it has changed. All methods may be
// called from any goroutine.
type Allowed struct {
	Path   string
	Folder string // where it really is

	mu    sync.Mutex
	seen  time.Time // when the file that was read last was written
	size  int64
	mode  fs.FileMode // who else could write it counts
	known []permission.AllowRule
}

// FolderRules is a folder's part of the file.
type FolderRules struct {
	Allow []permission.AllowRule `toml:"allow"`
}

// allowedWords open the file for whoever looks into it.
const allowedWords = `# What you have allowed permanently, by folder: Pawl writes a rule here when you answer a
# question with "always". Delete a line, and Pawl asks again. Pawl writes the file
# anew with every answer, without other comments. Your other rules stand in config.toml.

`

func allowedPath(folders settings.Folders) string {
	return filepath.Join(folders.State, permission.AllowedFile)
}

// NewAllowed are the rules of one folder, kept in the folder of state.
func NewAllowed(folders settings.Folders, folder string) *Allowed {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return &Allowed{Path: allowedPath(folders), Folder: folder}
}

// Rules are those of the folder, as the file has them now. Of a file that cannot be
// read none holds: Pawl asks, and doctor says why.
func (a *Allowed) Rules() []permission.AllowRule {
	a.mu.Lock()
	defer a.mu.Unlock()
	info, err := os.Stat(a.Path)
	if err != nil {
		a.known, a.seen = nil, time.Time{}
		return nil
	}
	if info.ModTime().Equal(a.seen) && info.Size() == a.size && info.Mode() == a.mode {
		return a.known
	}
	all, err := a.Read()
	if err != nil {
		slog.Error("read what is allowed permanently", "error", err)
	}
	a.known, a.seen, a.size, a.mode = all[a.Folder].Allow, info.ModTime(), info.Size(), info.Mode()
	return a.known
}

// Read gives the whole file; nothing where there is none. The error names the line.
func (a *Allowed) Read() (map[string]FolderRules, error) {
	file, err := regular.Open(a.Path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // what is wrong with the folder doctor says of it
		return map[string]FolderRules{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is allowed permanently: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	if info, err := file.Stat(); err == nil && info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("other users can write %s, so its rules are not used: chmod 600 it", a.Path)
	}
	all := map[string]FolderRules{}
	err = toml.NewDecoder(file).DisallowUnknownFields().Decode(&all)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		row, _ := unknown.Errors[0].Position()
		return nil, fmt.Errorf("%s:%d: a folder can only have allow; fix the line, or delete it", a.Path, row)
	case errors.As(err, &wrong):
		row, _ := wrong.Position()
		return nil, fmt.Errorf("%s:%d: %w; fix the line, or delete it", a.Path, row, wrong)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; fix it, or delete it", a.Path, err)
	}
	return all, nil
}

// Add keeps further rules of the folder.
func (a *Allowed) Add(rules []permission.AllowRule) error {
	return a.change(func(had []permission.AllowRule) []permission.AllowRule {
		for _, rule := range rules {
			if !slices.ContainsFunc(had, func(r permission.AllowRule) bool { return r.String() == rule.String() }) {
				had = append(had, rule)
			}
		}
		return had
	})
}

// Forget takes a rule of the folder back.
func (a *Allowed) Forget(text string) error {
	return a.change(func(had []permission.AllowRule) []permission.AllowRule {
		return slices.DeleteFunc(had, func(r permission.AllowRule) bool { return r.String() == text })
	})
}

// change writes the folder's rules anew, one process at a time: whole, or not at all. A
// file that cannot be read is left as it is.
func (a *Allowed) change(to func([]permission.AllowRule) []permission.AllowRule) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(a.Path), 0o700); err != nil {
		return fmt.Errorf("keep the rule: %w", err)
	}
	unlock, err := lockFolder(filepath.Dir(a.Path))
	if err != nil {
		return fmt.Errorf("keep the rule: %w", err)
	}
	defer unlock()
	all, err := a.Read()
	if err != nil {
		return err
	}
	rules := to(all[a.Folder].Allow)
	if all[a.Folder] = (FolderRules{rules}); len(rules) == 0 {
		delete(all, a.Folder)
	}
	if err := a.write(all); err != nil {
		return fmt.Errorf("keep the rule: %w", err)
	}
	a.seen = time.Time{} // read it again
	return nil
}

func (a *Allowed) write(all map[string]FolderRules) error {
	var text bytes.Buffer
	text.WriteString(allowedWords)
	if err := toml.NewEncoder(&text).SetArraysMultiline(true).Encode(all); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(a.Path), permission.AllowedFile+".*") // 0600
	if err != nil {
		return err
	}
	_, err = next.Write(text.Bytes())
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), a.Path)
	}
	if err != nil {
		_ = os.Remove(next.Name()) // the first error says what is wrong
	}
	return err
}

// lockFolder waits for its turn among the processes that change files of a folder.
func lockFolder(folder string) (unlock func(), err error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err = host.LockFile(dir, host.LockWait); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func() { _ = dir.Close() }, nil // which lets go of the lock
}
