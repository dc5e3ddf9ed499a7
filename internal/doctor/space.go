package doctor

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/dustin/go-humanize"

	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/internal/words"
)

// Below these a disk is nearly full: a session writes some megabytes an hour, the write-ahead
// log grows beside the database until it is checkpointed, and long outputs become files.
const (
	littleSpace = 100 << 20 // bytes
	fewFiles    = 1000      // that can still be created
)

// trial is how many bytes are written to test a folder: more than file systems keep in an inode,
// and more than one write of the database.
const trial = 64 << 10

// refuses tests an existing folder by writing to it and returns why that fails. A full disk, an
// exhausted quota and a lack of inodes show only then. It leaves nothing behind.
func refuses(folder string) error {
	file, err := os.CreateTemp(folder, ".pawl-doctor-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, trial))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// whyFull says what to do about a folder on a full disk; empty if the error has another reason.
func whyFull(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "make room on its disk, or set PAWL_HOME to a folder on another: until then Pawl cannot save anything"
	case errors.Is(err, syscall.EDQUOT):
		return "your quota on its disk is used up: make room, or set PAWL_HOME to a folder on another disk"
	}
	return ""
}

func space(folder string) Finding {
	found := Finding{Name: "space", Level: levelOK}
	free, files, counted, err := system.FreeSpace(nearest(folder))
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
