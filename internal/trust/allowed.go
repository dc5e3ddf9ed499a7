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
	"pawl/internal/regular"
	"pawl/internal/system"
)

// Allowed holds the rules that the user has allowed permanently in one folder by answering
// questions. They are kept in a file of the user's own, by folder, so nothing in a folder can
// add to them. Every process of Pawl reads the file again when it has changed. All methods may
// be called from any goroutine.
type Allowed struct {
	Path   string
	Folder string // with symbolic links resolved

	mu    sync.Mutex
	seen  time.Time // modification time of the file as last read
	size  int64
	mode  fs.FileMode // others may have been given write permission since
	known []permission.AllowRule
}

// FolderRules is the part of the file for one folder.
type FolderRules struct {
	Allow []permission.AllowRule `toml:"allow"`
}

// allowedWords is the comment at the top of the file.
const allowedWords = `# What you have allowed permanently, by folder: Pawl writes a rule here when you answer a
# question with "always". Delete a line, and Pawl asks again. Pawl writes the file
# anew with every answer, without other comments. Your other rules stand in config.toml.

`

func allowedPath(folders settings.Folders) string {
	return filepath.Join(folders.State, permission.AllowedFile)
}

// NewAllowed returns the rules of one folder, kept in the state folder.
func NewAllowed(folders settings.Folders, folder string) *Allowed {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return &Allowed{Path: allowedPath(folders), Folder: folder}
}

// Rules returns the current rules of the folder. If the file cannot be read there are none: Pawl
// asks, and doctor says why.
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

// Read returns the rules of all folders; none if there is no file. The error names the line.
func (a *Allowed) Read() (map[string]FolderRules, error) {
	file, err := regular.Open(a.Path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // doctor reports what is wrong with the folder
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

// Add adds rules to the folder.
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

// Forget removes a rule from the folder.
func (a *Allowed) Forget(text string) error {
	return a.change(func(had []permission.AllowRule) []permission.AllowRule {
		return slices.DeleteFunc(had, func(r permission.AllowRule) bool { return r.String() == text })
	})
}

// change rewrites the folder's rules, atomically and one process at a time. A file that cannot
// be read is left unchanged.
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
	return regular.Replace(a.Path, text.Bytes())
}

// lockFolder waits for its turn among the processes that change files of a folder.
func lockFolder(folder string) (unlock func(), err error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err = system.LockFile(dir, system.LockWait); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func() { _ = dir.Close() }, nil // which releases the lock
}
