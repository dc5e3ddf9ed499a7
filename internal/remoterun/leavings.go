package remoterun

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/system"
)

// lockSuffix ends the name of the file that a process holds locked as long as its folder is in use.
const lockSuffix = ".lock"

// takeFolder makes a folder for this process alone below a folder, and removes those of processes
// that died. release gives its lock back.
func takeFolder(below string) (folder string, release func(), err error) {
	wrong := func(err error) (string, func(), error) {
		return "", nil, fmt.Errorf("make a folder for runs in %s: %w", below, err)
	}
	if err := os.MkdirAll(below, 0o700); err != nil {
		return wrong(err)
	}
	turn, err := locked(filepath.Join(below, "turn"), system.LockWait) // or another would take a new folder for a dead one's
	if err != nil {
		return wrong(err)
	}
	defer turn.Close()
	removeDead(below)
	if folder, err = os.MkdirTemp(below, "worker-"); err != nil {
		return wrong(err)
	}
	lock, err := locked(folder+lockSuffix, system.LockNow)
	if err != nil {
		return wrong(errors.Join(err, os.Remove(folder)))
	}
	return folder, func() {
		_ = os.Remove(lock.Name()) // else the next process does
		_ = lock.Close()
	}, nil
}

// removeDead removes the folders that no process holds locked. The turn is held.
func removeDead(below string) {
	locks, _ := filepath.Glob(filepath.Join(below, "*"+lockSuffix)) // the pattern is valid
	for _, path := range locks {
		lock, err := locked(path, system.LockNow)
		if err != nil {
			continue // it is in use
		}
		removeAll(strings.TrimSuffix(path, lockSuffix))
		_ = os.Remove(path)
		_ = lock.Close()
	}
}

// locked opens and locks a file, which is unlocked when it is closed.
func locked(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := system.LockFile(file, how); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return file, nil
}
