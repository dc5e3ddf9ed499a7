package filestore

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
	"pawl/lifecycle"
)

// Intent is a change that a run is about to make and that is not in the log yet. One that is still
// here when its process is gone was cut off: before the change, after it, or even after its record.
type Intent struct {
	Run     lifecycle.RunID        `json:"run"`
	Changed lifecycle.FilesChanged `json:"changed"` // without the mode that the file is given
	// Temporary is the file that is to take its place, relative to the folder, and may be left there.
	Temporary string `json:"temporary,omitempty"`

	name string // of its file
}

// intentsName is the folder of them beside the pack: a file for each.
const intentsName = "intents"

// maxIntent bounds what is read of one: its path has 4 KB at most.
const maxIntent = 64 << 10

// Announce notes a change before it is made. Whoever made it and recorded it, or did not make it,
// calls done. The note survives the end of the process, not a power cut.
func (s *Store) Announce(intent Intent) (done func(), err error) {
	text, err := json.Marshal(intent)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(s.folder, intentsName)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, plainCause(err)
	}
	intent.name = rand.Text() + ".json"
	if err := os.WriteFile(filepath.Join(folder, intent.name), text, 0o600); err != nil {
		return nil, errors.Join(plainCause(err), s.Forget(intent))
	}
	return func() { _ = s.Forget(intent) }, nil // the next opening of the session finds that it is in the log
}

// Announced returns the changes that were noted and not done with, those under way in other
// processes among them. What is no note is left out.
func (s *Store) Announced() ([]Intent, error) {
	folder := filepath.Join(s.folder, intentsName)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainCause(err)
	}
	var all []Intent
	for _, entry := range entries {
		text, err := regular.Read(filepath.Join(folder, entry.Name()), maxIntent)
		if errors.Is(err, fs.ErrNotExist) {
			continue // done with just now
		}
		intent := Intent{name: entry.Name()}
		if err != nil || json.Unmarshal(text, &intent) != nil {
			intent = Intent{name: entry.Name()} // cut off while it was written: the change was not made
		}
		all = append(all, intent)
	}
	return all, nil
}

// Forget removes the note of a change.
func (s *Store) Forget(intent Intent) error {
	err := os.Remove(filepath.Join(s.folder, intentsName, intent.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return plainCause(err)
}
