package base

import (
	"fmt"
	"io"
	"os"
	"strings"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// World is where a command reads and writes, and what guards it. Tests supply their own.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Folder   string

	Guard *guard.Conn      // nil: without a guard
	Crash *guard.CrashFile // nil: standard error is unchanged
	Front *handover.Conn   // the process at the terminal that has started this one; nil: there is none

	Learned *mask.Learned  // secrets that become known, which Err masks; nil: those of the environment alone
	Logged  bool           // the log is open, and somebody else closes it
	Answers *trust.Answers // answers about trust until the screen ends; nil: only stored ones
}

// Tell writes a line of Pawl's own to standard error: what a person should know and no screen shows.
func (w World) Tell(format string, args ...any) {
	fmt.Fprintln(w.Err, "pawl: "+string(sanitize.Line(OneLine(fmt.Sprintf(format, args...)))))
}

// OneLine puts an error on one line of readable length.
func OneLine(text string) string {
	return sanitize.Ends(words.Line(strings.ReplaceAll(text, "\n", " · ")))
}

// Standard is the world of this process: its streams, or those that a front has lent, its
// environment, folder and guard. It must be called only once.
func Standard() World {
	folder, err := os.Getwd()
	if err != nil {
		folder = "." // it was removed; whatever needs it reports that
	}
	lent, wrong := handover.Connect() // and its variable is gone, before the environment is read
	w := World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Folder: folder}
	if guard.Own() != guard.RolePlain {
		w.Guard = guard.Connect()
		w.Crash, w.Err = guard.MoveStderr(settings.FindFolders().CrashFile())
		w.Guard.TellCrashFile(w.Crash)
	}
	if lent != nil {
		w.use(lent)
	}
	w.Learned = new(mask.Learned)
	w.Err = newMaskedStderr(w.Err, w.Environ, w.Learned)
	if wrong != nil {
		w.Tell("%s", wrong)
	}
	return w
}

// use makes the streams that a front has lent those of this process.
func (w *World) use(lent *handover.Conn) {
	w.Front, w.Err = lent, lent
	if in, out := lent.Streams(); in != nil {
		w.In, w.Out = in, out
	}
}
