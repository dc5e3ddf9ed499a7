package host

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"pawl/internal/regular"
)

// keptPrompts is how many prompts the history returns: as far back as a person goes.
const keptPrompts = 1000

// longestPrompt limits one line of the history, in bytes: enough for a prompt with 10,000 pasted
// lines. keptBytes limits all that is returned, so that reading it does not delay the screen.
const (
	longestPrompt = 1 << 20
	keptBytes     = 2 << 20
)

// prompts is the history of what was typed, in a file in the state folder: one JSON string a
// line, readable by its owner only.
type prompts struct{ path string }

func (p prompts) file() string { return filepath.Join(p.path, "history.jsonl") }

// all returns the newest prompts, oldest first, and shortens a file that has grown too long. A
// history that cannot be read is empty: it must not keep anybody from working.
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

// newest is the end of the lines that is kept, without lines longer than any prompt that add
// would write.
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

// replace rewrites the file atomically. What another Pawl adds at that moment may be lost: the
// history is a convenience, not a record.
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

// add appends a prompt, unless it is too long.
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
