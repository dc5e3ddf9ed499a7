package front

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"pawl/internal/regular"
)

// keptPrompts is how many prompts the history gives back: what a person can still
// find by going up.
const keptPrompts = 1000

// longestPrompt bounds one line of the history, in bytes: a prompt with 10,000 lines
// pasted into it has room. keptBytes bounds what is given back of all: reading it
// is not to be felt when the screen opens.
const (
	longestPrompt = 1 << 20
	keptBytes     = 2 << 20
)

// prompts is the history of what was typed, one JSON string a line, in the state
// folder, readable by its owner alone.
type prompts struct{ path string }

func (p prompts) file() string { return filepath.Join(p.path, "history.jsonl") }

// all gives the newest prompts, oldest first, and keeps the file to some times those. A
// history that cannot be read is an empty one: it must not keep anybody from
// working.
func (p prompts) all() []string {
	text, err := regular.Read(p.file(), 16*keptBytes)
	if err != nil {
		return nil
	}
	lines := slices.Collect(bytes.Lines(text))
	long := len(lines) > 2*keptPrompts || len(text) > 2*keptBytes
	if lines = newest(lines); long {
		p.replace(bytes.Join(lines, nil))
	}
	var found []string
	for _, line := range lines {
		var prompt string
		if json.Unmarshal(line, &prompt) == nil {
			found = append(found, prompt)
		}
	}
	return found
}

// newest is the end of some lines that is kept, without those that are longer than
// any that was written.
func newest(lines [][]byte) [][]byte {
	var kept [][]byte
	room := keptBytes
	for _, line := range slices.Backward(lines) {
		if len(line) > longestPrompt+len("\n") {
			continue
		}
		if room -= len(line); room < 0 || len(kept) == keptPrompts {
			break
		}
		kept = append(kept, line)
	}
	slices.Reverse(kept)
	return kept
}

// replace writes the file anew, whole or not at all. What another Pawl adds in
// that moment may be lost: it is a convenience, no record.
func (p prompts) replace(text []byte) {
	next := p.file() + ".new"
	err := os.WriteFile(next, text, 0o600)
	if err == nil {
		err = os.Rename(next, p.file())
	}
	if err != nil {
		slog.Error("shorten the history of prompts", "error", err)
	}
}

// add keeps one more, unless it is too long to be found by going up.
func (p prompts) add(prompt string) {
	line, err := json.Marshal(prompt)
	if err != nil || len(line) > longestPrompt {
		return
	}
	file, err := regular.OpenWith(os.OpenFile, p.file(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
		_ = file.Close()
	}
	if err != nil {
		slog.Error("keep the prompt", "error", err)
	}
}
