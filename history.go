package main

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
)

// keptPrompts is how many prompts the history gives back: what a person can still
// find by going up.
const keptPrompts = 1000

// prompts is the history of what was typed, one JSON string a line, in the state
// folder, readable by its owner alone.
type prompts struct{ path string }

func (p prompts) file() string { return filepath.Join(p.path, "history.jsonl") }

// all gives the newest prompts, oldest first. A history that cannot be read is an
// empty one: it must not keep anybody from working.
func (p prompts) all() []string {
	file, err := os.Open(p.file())
	if err != nil {
		return nil
	}
	defer file.Close()
	var found []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var prompt string
		if json.Unmarshal(lines.Bytes(), &prompt) == nil {
			found = append(found, prompt)
		}
	}
	return found[max(0, len(found)-keptPrompts):]
}

// add keeps one more.
func (p prompts) add(prompt string) {
	line, err := json.Marshal(prompt)
	if err != nil {
		return
	}
	file, err := os.OpenFile(p.file(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
		_ = file.Close()
	}
	if err != nil {
		slog.Error("keep the prompt", "error", err)
	}
}
