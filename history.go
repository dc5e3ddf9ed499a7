package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
)

// keptPrompts is how many prompts the history gives back: what a person can still
// find by going up.
const keptPrompts = 1000

// longestPrompt bounds one line of the history, in bytes: with keptPrompts, the file.
const longestPrompt = 64 << 10

// prompts is the history of what was typed, one JSON string a line, in the state
// folder, readable by its owner alone.
type prompts struct{ path string }

func (p prompts) file() string { return filepath.Join(p.path, "history.jsonl") }

// all gives the newest prompts, oldest first, and keeps the file to about those. A
// history that cannot be read is an empty one: it must not keep anybody from
// working.
func (p prompts) all() []string {
	text, err := os.ReadFile(p.file())
	if err != nil {
		return nil
	}
	lines := slices.Collect(bytes.Lines(text))
	if len(lines) > 2*keptPrompts {
		lines = lines[len(lines)-keptPrompts:]
		p.replace(bytes.Join(lines, nil))
	}
	var found []string
	for _, line := range lines {
		var prompt string
		if json.Unmarshal(line, &prompt) == nil {
			found = append(found, prompt)
		}
	}
	return found[max(0, len(found)-keptPrompts):]
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
	file, err := os.OpenFile(p.file(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
		_ = file.Close()
	}
	if err != nil {
		slog.Error("keep the prompt", "error", err)
	}
}
