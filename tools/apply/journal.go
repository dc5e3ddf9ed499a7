package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
	"pawl/lifecycle"
)

// journalName is the file in the journal's folder that stands there while an operation is under
// way, and maxJournal bounds what is read of it: 100,000 files with long paths.
const (
	journalName = "operation.json"
	maxJournal  = 64 << 20
)

// journalVersion is that of the format. A later one is not touched.
const journalVersion = 1

// journaled is an operation under way, with all that is needed to undo it.
type journaled struct {
	Version int `json:"version"`
	Set
	// Folders stood there before and are above one of the files, by their paths: their modes.
	Folders map[string]uint32 `json:"folders,omitempty"`
}

// temporary is the name of a file on its way into place. It can be found again after a crash.
func (j journaled) temporary(i int) string { return fmt.Sprintf(".pawl-%s-%d.tmp", j.Operation, i) }

// stood reports whether a folder stood there before.
func (j journaled) stood(dir string) bool { _, stood := j.Folders[dir]; return stood }

// writeJournal returns once the journal would survive a power cut.
func writeJournal(folder string, j journaled) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := regular.Replace(filepath.Join(folder, journalName), text); err != nil {
		return err
	}
	return syncJournal(folder)
}

func syncJournal(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// readJournal reads what is under way; found is false where nothing is.
func readJournal(folder string) (j journaled, found bool, err error) {
	at := filepath.Join(folder, journalName)
	text, err := regular.Read(at, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return journaled{}, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &j)
	}
	if err == nil && j.Version != journalVersion {
		err = errors.New("another version of Pawl wrote it: open the session with that one")
	}
	if err != nil {
		return journaled{}, false, fmt.Errorf("read what a landing or rewind was doing, in %s: %w", at, err)
	}
	return j, true, nil
}

// removeJournal ends an operation, and removes what a crash left of its journal. Others may have
// notes of their own in the folder.
func removeJournal(folder string) error {
	if err := os.Remove(filepath.Join(folder, journalName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	torn, _ := filepath.Glob(filepath.Join(folder, "."+journalName+".*"))
	for _, name := range torn {
		_ = os.Remove(name) // it is in nobody's way
	}
	err := syncJournal(folder)
	_ = os.Remove(folder) // unless somebody has a note in it
	return err
}

// Pending names the folder and the operation that a journal folder holds, if one is under way or was
// cut off.
func Pending(journal string) (folder string, operation lifecycle.OperationID, pending bool) {
	j, found, err := readJournal(journal)
	return j.Folder, j.Operation, found || err != nil
}
