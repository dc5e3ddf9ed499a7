package remote

import (
	"fmt"
	"strings"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/internal/words"
)

// What is quoted of a dead worker's standard error: lines, and characters in all.
const (
	lastLines = 3
	lastRunes = 400
)

// deathMessage says in one line how a worker died.
func deathMessage(exit Exit, broken error) string {
	how := "its process exited before it was finished, for an unknown reason"
	if exit.Code >= 0 {
		how = fmt.Sprintf("its process ended before its work did, with exit code %d", exit.Code)
	}
	if name := signalName(exit.Code - 128); name != "" {
		how = fmt.Sprintf("its process was killed by %s (exit code %d)", name, exit.Code)
	}
	if broken != nil {
		how = fmt.Sprintf("its process sent %v, and was killed for it", broken)
	}
	if words := lastOutput(exit.Said); words != "" {
		how += ": " + words
	}
	return how
}

// lastOutput is the end of a worker's standard error, cut to one line.
func lastOutput(said string) string {
	cause := causeIn(said)
	if end := words.Last(cause, lastRunes); end != cause {
		return "… " + end
	}
	return cause
}

// causeIn returns the last lines of a worker's standard error or, if it ends with the
// stacks of its goroutines, the line that says why.
func causeIn(said string) string {
	var lines []string
	for line := range strings.Lines(mask.Mask{}.Text(sanitize.Clean(said).String())) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "SIGABRT: ") && len(lines) > 0 { // the line before says why
			return lines[len(lines)-1] + " · " + line
		}
		for _, opening := range []string{"panic: ", "fatal error: ", "SIG"} {
			if strings.HasPrefix(line, opening) {
				return line
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-lastLines):], " · ")
}
