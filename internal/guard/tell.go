//go:build !windows

package guard

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// endText says in one line what ended Pawl, and appends it to the crash file; empty if Pawl meant to
// end, or nobody needs to be told.
func (g *guard) endText(a pawlState, status syscall.WaitStatus) string {
	if a.inOrder || a.meant {
		return ""
	}
	trace := readTrace(a)
	text := describeEnd(status, trace, g.quit.Load())
	if text == "" {
		return ""
	}
	appendLine(a.crash, text)
	if a.session {
		text += "; the session is saved: pawl --continue opens it"
	}
	if trace != "" {
		text += "; the trace is in " + a.crash
	}
	return text
}

// describeEnd describes what happened. It is empty if nobody needs to be told: after a signal that
// asks for the end and came before Pawl listened, or SIGPIPE.
func describeEnd(status syscall.WaitStatus, trace string, quit bool) string {
	switch {
	case status.Signaled():
		switch s := status.Signal(); s {
		case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE:
			return ""
		case syscall.SIGKILL:
			return "it was killed (SIGKILL, or out of memory)"
		default:
			return "it was ended by signal " + strconv.Itoa(int(s)) + " (" + s.String() + ")"
		}
	case quit || strings.HasPrefix(trace, "SIGQUIT"):
		return "it was told to quit at once (SIGQUIT)"
	case trace != "":
		return "a bug ended it"
	}
	return "it ended unexpectedly (exit code " + strconv.Itoa(status.ExitStatus()) + ")"
}

// readTrace returns the beginning of what Pawl wrote to its crash file.
func readTrace(a pawlState) string {
	if a.crash == "" {
		return ""
	}
	file, err := os.OpenFile(a.crash, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer file.Close()
	begin := make([]byte, 16)
	n, _ := file.ReadAt(begin, a.crashSize) // a short read is a short trace
	return string(begin[:n])
}

// appendLine appends the line to the crash file, with the time, which a trace lacks.
func appendLine(path, text string) {
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return // the line on the terminal says the same
	}
	defer file.Close()
	_, _ = file.WriteString(time.Now().UTC().Format(time.RFC3339) + " pawl: " + text + "\n") // the terminal has the line in any case
}

// writeAll writes the text and gives up on an error, such as a terminal that is gone.
func writeAll(fd int, text string) {
	for text != "" {
		n, err := syscall.Write(fd, []byte(text))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return
		}
		text = text[n:]
	}
}
