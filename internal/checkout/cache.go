package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"pawl/tools/git"
	"pawl/tools/process"
)

// Cache is the side of the worker: what it knows of repositories, and worktrees made of that. Several
// processes may use one folder; its methods may be called from any goroutine.
//
//	FOLDER/REPOSITORY/lock        held while something is added
//	FOLDER/REPOSITORY/g1, g2, …   git folders without branches: the newest is in use, see store
//	FOLDER/REPOSITORY/kept/…      worktrees that runs have left, for the next ones
//	FOLDER/tmp/…                  what is open for a moment, or being deleted
type Cache struct {
	folder string
	git    git.Apart

	turns   turns      // by repositories: one at a time adds to it, in this process
	keeping sync.Mutex // held while a worktree is put to those that are kept
}

// NewCache makes one in a folder that no run can write to. launcher starts git, without a sandbox.
func NewCache(folder string, launcher *process.Launcher) *Cache {
	return &Cache{folder: folder, git: git.Apart{Launcher: launcher}}
}

func (c *Cache) of(repository string) string { return filepath.Join(c.folder, repository) }

// tmp is the folder for what is open for a moment.
func (c *Cache) tmp() (string, error) {
	folder := filepath.Join(c.folder, "tmp")
	return folder, os.MkdirAll(folder, 0o700)
}

// Receive makes a checkout of its own for a run below the folder into, which must not be there yet: it
// gets what it lacks from the store, once however many ask for it. No hook, filter or setting of the
// repository is in force in it. An error is one line, and leaves nothing below into.
func (c *Cache) Receive(ctx context.Context, checkouts Objects, ref Ref, into string) (*Checkout, error) {
	if err := ref.check(); err != nil {
		return nil, fmt.Errorf("the checkout of the job cannot be used: %w", err)
	}
	if _, err := os.Lstat(into); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("make a checkout in %s: something is there already", into), err)
	}
	for again := false; ; again = true {
		s, err := c.open(ctx, checkouts, ref)
		var checkout *Checkout
		if err == nil {
			if checkout, err = c.make(ctx, s, ref, into); err == nil {
				return checkout, nil
			}
			removeAll(into)
		}
		if again || ctx.Err() != nil || !damaged(err) {
			s.close()
			return nil, fmt.Errorf("make the checkout of the job: %w", err)
		}
		s.spoil() // its files are not what they were: all is got anew
		s.close()
	}
}

// damaged reports whether an error may come from files of git's that are not what they were.
func damaged(err error) bool {
	failed := (*git.Failed)(nil)
	if errors.Is(err, git.ErrLacks) {
		return true
	}
	return errors.As(err, &failed) && !strings.Contains(failed.Message, "invalid path") && !strings.Contains(failed.Message, "No space left")
}

// removeAll deletes a folder in which a run may have taken rights from itself.
func removeAll(folder string) {
	if os.RemoveAll(folder) == nil {
		return
	}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // a folder, which is deleted
		}
		return nil //nolint:nilerr // it goes on with the others
	})
	_ = os.RemoveAll(folder)
}
