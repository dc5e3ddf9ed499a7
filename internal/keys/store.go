package keys

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ErrNone is the error of Get and Remove where no key is kept.
var ErrNone = errors.New("no key is kept")

// ForProvider is the name of the key of a provider.
func ForProvider(name string) string { return "provider:" + name }

// ForServer is the name of what belongs to an MCP server.
func ForServer(name string) string { return "mcp:" + name }

// How long the key ring may take. Changing one may ask the user for its password.
const (
	readLimit   = 5 * time.Second
	changeLimit = 30 * time.Second
)

// Store keeps keys. Its methods may be called from any goroutine, and other processes may change
// the same keys meanwhile. A key ring that has once not answered in time is left alone from then
// on, so that the time is lost once.
type Store struct {
	file file
	ring *ring // nil: the file alone
}

// New returns the store of the user whose data folder this is. Without ring the key ring is never
// touched; Pawl's commands ask for it unless PAWL_HOME puts everything of Pawl's in one place.
func New(folder string, ring bool) *Store {
	s := &Store{file: file{File(folder)}}
	if ring {
		s.ring = systemRing()
	}
	return s
}

// Has reports whether a key is kept, without asking the key ring.
func (s *Store) Has(name string) bool {
	_, _, err := s.file.get(name)
	return err == nil
}

// Trouble is why the file cannot be used; nil if it can, or is not there.
func (s *Store) Trouble() error {
	_, err := s.file.read()
	return err
}

// Held are the values in the file, for masking.
func (s *Store) Held() []string {
	all, _ := s.file.read() // whoever needs a key reports the error
	return slices.Collect(maps.Values(all.Keys))
}

// Get returns a key and where it is kept, in words ("the system's key ring", "the file …"). The
// error is ErrNone, or says why the place that may have it cannot be read.
func (s *Store) Get(name string) (key, place string, err error) {
	key, inRing, err := s.file.get(name)
	switch {
	case err != nil:
		return "", s.file.place(), err
	case !inRing:
		return key, s.file.place(), nil
	case s.ring == nil:
		return "", Ring, fmt.Errorf("the key is in %s, which is not used with PAWL_HOME: give it again with pawl login", Ring)
	}
	key, err = s.ring.get(name)
	return key, Ring, err
}

// Set keeps a key in place of an older one and returns where. Why the key ring was not used, if
// it should have been, is in without: one line, which is for telling and no error.
func (s *Store) Set(name, key string) (place, without string, err error) {
	if s.ring != nil {
		err := s.ring.set(name, key)
		if err == nil {
			return Ring, "", s.file.setInRing(name)
		}
		without = err.Error()
	}
	if err := s.file.set(name, key); err != nil {
		return "", without, err
	}
	return s.file.place(), without, nil
}

// Remove forgets a key, wherever it is. The error is ErrNone if it was nowhere, or says what of it
// may still be there.
func (s *Store) Remove(name string) error {
	inRing, err := s.file.remove(name)
	if err != nil || !inRing || s.ring == nil {
		return err
	}
	if err := s.ring.remove(name); err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("the key is forgotten, but it may still be in %s: %w", Ring, err)
	}
	return nil
}
