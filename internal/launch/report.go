package launch

import (
	"errors"
	"strconv"
	"strings"
	"syscall"
)

// StepExec is the step that fails if the command itself cannot be started. Any other failed step
// means that the mode is not possible.
const StepExec = "exec"

// Report is what the helper says at its end. The zero value stands for a helper that was killed
// before it could report.
type Report struct {
	Command int // the command's process id, sent at the start; 0 if Pawl sees other ids

	Ready   bool // the mode is possible; nothing was started
	Done    bool // the command was started, and the fields below are known
	Code    int  // as in a shell: 128 + n for signal n; -1: it has not ended
	Left    int  // processes that outlived the command and were ended
	Alive   int  // processes that could not be ended
	Stopped bool // it was told to stop before the command ended by itself

	Step  string // what failed before the command ran; empty: nothing
	Errno syscall.Errno
}

func (r Report) line() string {
	switch {
	case r.Step != "":
		return "failed " + r.Step + " " + strconv.Itoa(int(r.Errno)) + "\n"
	case r.Ready:
		return "ready\n"
	default:
		stopped := 0
		if r.Stopped {
			stopped = 1
		}
		text := "done"
		for _, n := range []int{r.Code, r.Left, r.Alive, stopped} {
			text += " " + strconv.Itoa(n)
		}
		return text + "\n"
	}
}

func startedLine(pid int) string { return "command " + strconv.Itoa(pid) + "\n" }

// ParseReport reads what a helper has written. An incomplete last line is ignored.
func ParseReport(text string) Report {
	var r Report
	for _, line := range split(text[:strings.LastIndexByte(text, '\n')+1], '\n') {
		words := append(split(line, ' '), "") // so that words[0] exists
		number := func(i int) int {
			if i >= len(words) {
				return 0
			}
			n, _ := strconv.Atoi(words[i])
			return n
		}
		switch words[0] {
		case "command":
			r.Command = number(1)
		case "ready":
			r.Ready = true
		case "failed":
			r.Step, r.Errno = words[min(1, len(words)-1)], syscall.Errno(number(2))
		case "done":
			r.Done, r.Code, r.Left, r.Alive, r.Stopped = true, number(1), number(2), number(3), number(4) == 1
		}
	}
	return r
}

func errno(err error) syscall.Errno {
	if number, is := errors.AsType[syscall.Errno](err); is {
		return number
	}
	return syscall.EIO
}
