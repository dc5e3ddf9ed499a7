package keys

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"pawl/internal/regular"
	"pawl/internal/system"
)

// fileName is below the data folder.
const fileName = "keys.json"

// fileLimit is far more than all keys and tokens of a user.
const fileLimit = 1 << 20

// file keeps keys by name, and says which ones the key ring has, so that it is asked for no other.
// A change replaces it whole, under a lock beside it.
type file struct{ path string }

// content is what is in the file.
type content struct {
	Keys map[string]string `json:"keys,omitempty"`
	Ring []string          `json:"ring,omitempty"` // names
}

// File is where the keys of a data folder are, where no key ring has them. No command of a model
// may read it.
func File(folder string) string { return filepath.Join(folder, fileName) }

func (f file) place() string { return "the file " + f.path }

// get returns a key, or whether the key ring has it.
func (f file) get(name string) (key string, inRing bool, err error) {
	all, err := f.read()
	if err != nil {
		return "", false, err
	}
	key, ok := all.Keys[name]
	inRing = slices.Contains(all.Ring, name)
	if !ok && !inRing {
		err = ErrNone
	}
	return key, inRing && !ok, err
}

// set keeps a key. One in the key ring is older from now on, and is still to be removed with it.
func (f file) set(name, key string) error {
	return f.changed(func(all *content) { all.Keys[name] = key })
}

// setInRing notes that the key ring has a key.
func (f file) setInRing(name string) error {
	return f.changed(func(all *content) {
		delete(all.Keys, name)
		if !slices.Contains(all.Ring, name) {
			all.Ring = append(all.Ring, name)
			slices.Sort(all.Ring)
		}
	})
}

// remove forgets a key, and says whether the key ring may have it.
func (f file) remove(name string) (inRing bool, err error) {
	all, err := f.read()
	if err != nil {
		return false, err
	}
	_, here := all.Keys[name]
	if inRing = slices.Contains(all.Ring, name); !here && !inRing {
		return false, ErrNone // and no file is made to take nothing out of it
	}
	return inRing, f.changed(func(all *content) {
		delete(all.Keys, name)
		all.Ring = slices.DeleteFunc(all.Ring, func(other string) bool { return other == name })
	})
}

// read reads the file; one that others can read is an error, so that its owner learns of it.
func (f file) read() (content, error) {
	all := content{Keys: map[string]string{}}
	opened, err := regular.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return all, nil
	}
	if err != nil {
		return all, fmt.Errorf("cannot read the keys that are kept: %w", err)
	}
	defer opened.Close()
	if info, err := opened.Stat(); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return all, fmt.Errorf("others can read %s, which holds keys: run chmod 600 %s", f.path, f.path)
	}
	text, err := regular.All(opened, fileLimit)
	if err != nil {
		return all, fmt.Errorf("cannot read the keys that are kept: %w", err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return all, fmt.Errorf("%s does not hold keys as Pawl writes them: move it away, and give the keys again with pawl login", f.path)
	}
	if all.Keys == nil {
		all.Keys = map[string]string{}
	}
	return all, nil
}

// changed reads, changes and replaces the file while no other process does.
func (f file) changed(change func(*content)) error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("cannot keep the key: %w", err)
	}
	lock, err := os.OpenFile(f.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("cannot keep the key: %w", err)
	}
	defer lock.Close()
	_ = system.LockFile(lock, system.LockWait) // some file systems have no locks: then the last of two changes wins
	all, err := f.read()
	if err != nil {
		return err
	}
	change(&all)
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := regular.Replace(f.path, append(text, '\n')); err != nil {
		return fmt.Errorf("cannot keep the key: %w", err)
	}
	return nil
}
