package permission

import "strings"

// word reads up to the end of a word and returns its value.
func (t *tokenizer) word() word {
	var text strings.Builder
	from, known := t.at, true
	for t.at < t.end {
		switch b := t.next(); {
		case t.is("\\\n"):
			t.continuationInWord()
		case b == '\\':
			t.at++
			text.WriteByte(t.next())
			t.advance()
		case b == '\'':
			text.WriteString(t.single())
		case b == '"':
			known = t.double(&text) && known
		case b == '$':
			known = t.dollar(&text, false) && known
		case b == '`':
			t.backquotes()
			known = false
		case (b == '<' || b == '>') && t.at == from && t.byteAt(t.at+1) == '(':
			t.at++
			t.substitution()
			known = false
		case b == '\n' || isOneOf(b, blankBytes+operatorBytes):
			raw := t.line[from:t.at]
			t.endWord(from)
			return word{text.String(), known || raw == "{}"} // find and xargs replace {} with a path; no shell expands it
		default:
			if isOneOf(b, "*?[~{") && !t.is("{}") || b == 0x85 || b == 0xa0 {
				known = false
			}
			if b == 0x85 || b == 0xa0 { // a blank in some locales
				t.giveUp()
			}
			text.WriteByte(b)
			t.advance()
		}
	}
	return word{text.String(), known}
}

// advance moves past a byte. It gives up if, in a locale other than UTF-8, the byte and
// the special character after it could form one character.
func (t *tokenizer) advance() {
	if t.next() >= 0x80 && t.at+1 < t.end && isOneOf(t.line[t.at+1], "\\`|{}[]^~@") || t.at >= t.end {
		t.giveUp()
		return
	}
	t.at++
}

// continuationInWord skips escaped newlines within a word.
func (t *tokenizer) continuationInWord() {
	for t.is("\\\n") {
		t.at += 2
	}
	if t.at >= t.end || t.next() == '#' || isOneOf(t.next(), operatorBytes) {
		t.giveUp()
	}
}

// endWord checks what follows a word. A bracket is accepted only after an array assignment
// or in a function definition; shells differ about anything else.
func (t *tokenizer) endWord(from int) {
	raw := t.line[from:t.at]
	switch {
	case t.next() == '(' && !strings.HasSuffix(raw, "=") && !t.is("()"):
		t.giveUp()
	case t.is("<(") || t.is(">("):
		t.giveUp()
	case isOneOf(t.next(), "<>") && (strings.Trim(raw, "0123456789") == "" || raw[0] == '{'):
		t.giveUp() // a descriptor of two digits, or one held in a variable
	}
}

// single reads a single-quoted string.
func (t *tokenizer) single() string {
	length := strings.IndexByte(t.line[t.at+1:t.end], '\'')
	if length < 0 {
		t.giveUp()
		return ""
	}
	text := t.line[t.at+1 : t.at+1+length]
	t.at += length + 2
	t.rejectLines(text)
	return text
}

// rejectLines gives up at a newline inside a word while a here-document waits for its
// first line.
func (t *tokenizer) rejectLines(text string) {
	if len(t.documents) > 0 && strings.Contains(text, "\n") {
		t.giveUp()
	}
}

// double appends a double-quoted string to text and reports whether it is known.
func (t *tokenizer) double(text *strings.Builder) (known bool) {
	from, known := t.at, true
	t.at++
	for t.at < t.end {
		switch b := t.next(); {
		case b == '"':
			t.at++
			t.rejectLines(t.line[from:t.at])
			return known
		case t.is("\\\n"):
			t.at += 2
		case b == '\\':
			t.at++
			if !isOneOf(t.next(), "$`\"\\") {
				text.WriteByte(b)
			}
			text.WriteByte(t.next())
			t.advance()
		case b == '$':
			known = t.dollar(text, true) && known
		case b == '`':
			t.backquotes()
			known = false
		default:
			text.WriteByte(b)
			t.advance()
		}
	}
	t.giveUp()
	return false
}

// dollar reads what follows a dollar sign. It is known only if the sign stands for itself.
func (t *tokenizer) dollar(text *strings.Builder, quoted bool) (known bool) {
	t.at++
	switch b := t.next(); {
	case t.is("(("):
		t.arithmetic()
	case b == '(':
		t.substitution()
	case b == '{':
		t.parameter()
	case b == '\'' && !quoted:
		if strings.HasSuffix(t.single(), `\`) {
			t.giveUp() // \' ends the string in dash
		}
	case b == '"' && !quoted: // a translated string: its quotes are read next
	case b == '[' || t.is("\\\n"):
		t.giveUp()
	case isOneOf(b, plainLetters+"_@*#?-$!"):
		t.name()
	default:
		text.WriteByte('$')
		return true
	}
	return false
}

// name skips a variable's name.
func (t *tokenizer) name() {
	t.at++
	if !isOneOf(t.line[t.at-1], plainLetters[:52]+"_") {
		return
	}
	for t.at < t.end && isOneOf(t.next(), plainLetters+"_") {
		t.at++
	}
}

// parameter skips ${…} if it holds neither quotes nor expansions.
func (t *tokenizer) parameter() {
	length := strings.IndexByte(t.line[t.at:t.end], '}')
	if length < 0 || strings.ContainsAny(t.line[t.at+1:t.at+length], "\\'\"`$(){\n <>&|;") {
		t.giveUp()
		return
	}
	t.at += length + 1
}

// arithmetic skips $((…)) if it holds only numbers, names and operators.
func (t *tokenizer) arithmetic() {
	open := 0
	for t.at < t.end {
		switch b := t.next(); {
		case b == '(':
			open++
		case b == ')':
			open--
		case !isOneOf(b, plainLetters+"_ +-*/%<>=!&|^~?:,$"):
			t.giveUp()
			return
		}
		if open == 1 && t.next() == ')' { // the first of the two closing brackets
			if t.at += 2; t.line[t.at-1:min(t.at, t.end)] != ")" {
				t.giveUp()
			}
			return
		}
		t.at++
	}
	t.giveUp()
}

// substitution reads the commands inside $(…).
func (t *tokenizer) substitution() {
	t.at++
	from, waiting := t.at, len(t.documents)
	t.nested++
	t.list(true)
	t.nested--
	t.at = min(t.at+1, t.end)
	if len(t.documents) != waiting {
		t.giveUp()
	}
	t.rejectLines(t.line[from:t.at])
}

// backquotes reads the commands between backquotes. It gives up if they hold quotes:
// shells differ about which quotes count before the closing one.
func (t *tokenizer) backquotes() {
	t.at++
	length := strings.IndexByte(t.line[t.at:t.end], '`')
	if length < 0 || strings.ContainsAny(t.line[t.at:t.at+length], "\\'\"#\n<") {
		t.giveUp()
		return
	}
	end := t.end
	t.end = t.at + length
	t.nested++
	t.list(false)
	t.nested--
	if t.end = end; t.unclear {
		t.giveUp()
		return
	}
	t.at++
}
