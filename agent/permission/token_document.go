package permission

import "strings"

// hereDocument is a here-document whose text has not been reached yet.
type hereDocument struct {
	ending         string
	indented, bare bool // leading tabs are ignored; its text is expanded
}

// queueDocument reads the delimiter after << without moving past it.
func (t *tokenizer) queueDocument(sign string) {
	at := t.at
	for isOneOf(t.byteAt(at), blankBytes) {
		at++
	}
	raw := t.line[at:t.end]
	if end := strings.IndexAny(raw, " \t\n"+operatorBytes); end >= 0 {
		raw = raw[:end]
	}
	ending := strings.TrimPrefix(raw, `\`)
	if len(raw) > 2 && isOneOf(raw[0], `'"`) && raw[0] == raw[len(raw)-1] {
		ending = raw[1 : len(raw)-1]
	}
	if ending == "" || strings.Trim(ending, plainLetters+"_") != "" {
		t.giveUp()
		return
	}
	t.documents = append(t.documents, hereDocument{ending, sign == "<<-", ending == raw})
}

// readDocuments skips the here-documents that begin after a newline. Each must end with
// its delimiter on a line of its own; shells differ if that line is missing.
func (t *tokenizer) readDocuments() {
	documents := t.documents
	t.documents = nil
	for _, d := range documents {
		from, found := t.at, false
		for t.at < t.end && !found {
			line, _, _ := strings.Cut(t.line[t.at:t.end], "\n")
			if d.indented {
				line = strings.TrimLeft(line, "\t")
			}
			if found = line == d.ending; found && d.bare {
				t.expanded(from, t.at)
			}
			for t.at < t.end && t.next() != '\n' {
				t.at++
			}
			t.at = min(t.at+1, t.end)
		}
		if !found {
			t.giveUp()
		}
	}
}

// expanded reads the substitutions in the text of a here-document.
func (t *tokenizer) expanded(from, to int) {
	at, end := t.at, t.end
	t.at, t.end = from, to
	var text strings.Builder
	for t.at < t.end {
		switch b := t.next(); {
		case t.is("\\\n") || b == '`':
			t.giveUp()
		case b == '\\':
			t.at++
			t.advance()
		case b == '$':
			t.dollar(&text, true)
		default:
			t.advance()
		}
	}
	t.at, t.end = at, end
	if t.unclear {
		t.giveUp()
	}
}
