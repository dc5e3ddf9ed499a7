package base

import (
	"io"
	"os"
	"strings"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/guard"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// World is where a command reads and writes, and what watches over it; tests hand
// In their own.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Folder   string

	Guard *guard.Conn      // nil: without a guard
	Crash *guard.CrashFile // nil: standard error is what it was
	Lease *guard.Lease     // of the terminal, to the user's editor; nil: it is lent to nobody

	Logged  bool           // the log is open, and somebody else's to close
	Answers *trust.Answers // about trust, until the screen ends; nil: only what is kept
}

// OneLine keeps an error to the one line that errors have, and that to a length that can
// be read.
func OneLine(text string) string {
	return sanitize.Ends(words.Line(strings.ReplaceAll(text, "\n", " · ")))
}

// Standard is the world of this process: its streams, its environment, its folder and its
// guard. main calls it once.
func Standard() World {
	folder, err := os.Getwd()
	if err != nil {
		folder = "." // it is gone; what needs one says so
	}
	w := World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Folder: folder}
	if guard.Own() != guard.RolePlain {
		w.Guard = guard.Connect()
		w.Crash, w.Err = guard.MoveStderr(settings.FindFolders().CrashFile())
		w.Guard.TellCrashFile(w.Crash)
	}
	w.Err = newPlainLines(w.Err, w.Environ)
	return w
}
