package doctor

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/dustin/go-humanize"

	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/words"
)

// Below these a disk is nearly full: a session writes some megabytes an hour, its log
// grows beside the database before it is folded in, and long outputs are files.
const (
	littleSpace = 100 << 20 // bytes
	fewFiles    = 1000      // that may still be made
)

// trial is how much is written to find out whether anything can be, in bytes: more than
// what file systems keep beside a file's name, and a write of the database.
const trial = 64 << 10

// refuses says why nothing can be written into a folder that is there, by writing to it: a
// full disk, a used-up quota and no room for one file more look writable until then. It
// leaves nothing behind.
func refuses(folder string) error {
	file, err := os.CreateTemp(folder, ".pawl-doctor-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, trial))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// whyFull is what a person can do about a folder that takes nothing more; empty where it
// is for another reason.
func whyFull(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "make room on its disk, or set PAWL_HOME to a folder on another: until then Pawl cannot save anything"
	case errors.Is(err, syscall.EDQUOT):
		return "your quota on its disk is used up: make room, or set PAWL_HOME to a folder on another disk"
	}
	return ""
}

// space is how much the disk of a folder still takes.
func space(folder string) Finding {
	found := Finding{Name: "space", Level: levelOK}
	free, files, counted, err := host.FreeSpace(nearest(folder))
	if err != nil {
		found.Level, found.Says = levelNote, "the system does not say how much is free: "+base.Reason(err)
		return found
	}
	found.Says, found.Value = humanize.IBytes(free)+" free", free
	if counted && files < fewFiles {
		found.Says += fmt.Sprintf(", room for %s", words.Count(int(files), "file")) //nolint:gosec // few
		found.Level = levelNote
	}
	if free < littleSpace {
		found.Level = levelNote
	}
	if found.Level == levelNote {
		found.Do = "make room: when the disk is full, Pawl stops all runs and saves nothing"
	}
	return found
}
