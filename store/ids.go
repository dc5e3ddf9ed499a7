package store

import (
	"bytes"

	"pawl/lifecycle"
)

// newIDs are the ids of a session's log and transcripts, each with the one that takes its place in a
// fork. Calls keep theirs: a provider named them.
type newIDs map[string]string

// uuidLength is the length of every id, as text.
const uuidLength = 36

// learn gives an id another one. What is no UUID, as Pawl makes them, stays as it is.
func (n newIDs) learn(id string) {
	if _, known := n[id]; !known && isUUID([]byte(id)) {
		n[id] = string(lifecycle.NewRunID()) // all kinds of ids are made alike
	}
}

// of is the text of an id, renamed.
func (n newIDs) of(id string) string { return string(n.rename([]byte(id))) }

// rename puts the new ids into a text, wherever the old ones stand in it: in the fields of records,
// and in what a model was told and has said, for it calls its subagents by their ids. The text is
// changed in place.
func (n newIDs) rename(text []byte) []byte {
	const before, length = 8, uuidLength // where the first hyphen of a UUID stands
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], '-')
		if at < 0 {
			return text
		}
		start := from + at - before
		from += at + 1
		if start < 0 || start+length > len(text) {
			continue
		}
		if id, known := n[string(text[start:start+length])]; known {
			copy(text[start:], id)
			from = start + length
		}
	}
}

// isUUID reports whether a text is an id as Pawl makes them.
func isUUID(text []byte) bool {
	if len(text) != uuidLength {
		return false
	}
	for i, c := range text {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		hex := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
		if hyphen != (c == '-') || !hyphen && !hex {
			return false
		}
	}
	return true
}
