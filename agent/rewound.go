package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"pawl/lifecycle"
)

// Current is what stands of a transcript's entries, in the order in which they were written: without
// those that rewinds have taken back. The newest rewind decides; what it keeps may itself hold
// rewinds, and entries that a later one had taken back. The rewind entry stays, for its text.
func Current(entries []lifecycle.Entry) ([]lifecycle.Entry, error) {
	at := -1
	for i, entry := range slices.Backward(entries) {
		if entry.Kind == lifecycle.EntryRewind {
			at = i
			break
		}
	}
	if at < 0 {
		return entries, nil
	}
	var back lifecycle.Rewind
	err := json.Unmarshal(entries[at].Body, &back)
	if err == nil && (back.Keep < 0 || back.Keep > at) {
		err = fmt.Errorf("it keeps %d of %d entries", back.Keep, at)
	}
	if err != nil {
		return nil, fmt.Errorf("read rewind entry of session %s: %w", entries[at].Session, err)
	}
	kept, err := Current(entries[:back.Keep])
	if err != nil {
		return nil, err
	}
	late := lateResults(kept, entries[back.Keep:at])
	return slices.Concat(kept, late, entries[at:]), nil
}

// lateResults are the results of kept calls that were written after what is kept: a process had died
// over them, and the run that gave them came with the prompt that is taken back.
func lateResults(kept, gone []lifecycle.Entry) []lifecycle.Entry {
	i := len(kept) - 1
	for i >= 0 && kept[i].Kind != lifecycle.EntryAssistant {
		i--
	}
	if i < 0 {
		return nil
	}
	newest, err := DecodeEntry(kept[i])
	if err != nil {
		return nil // who reads the transcript will say so
	}
	var late []lifecycle.Entry
	for _, call := range newest.Calls() {
		if slices.ContainsFunc(kept[i:], resultOf(call.ID)) {
			continue
		}
		if at := slices.IndexFunc(gone, resultOf(call.ID)); at >= 0 {
			late = append(late, gone[at])
		}
	}
	return late
}

func resultOf(call lifecycle.CallID) func(lifecycle.Entry) bool {
	return func(entry lifecycle.Entry) bool { return entry.Kind == lifecycle.EntryToolResult && entry.Call == call }
}
