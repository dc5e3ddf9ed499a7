package permission

import (
	"slices"
	"strings"
)

// span is the position of a token in a line, in bytes.
type span struct{ from, to int }

// tokens is a line split into tokens, without a grammar.
type tokens struct {
	words    map[span]string // as written, including redirection targets and comments
	ends     []int           // where a command may end: operators and newlines
	commands []command       // the words between ends, without keywords, assignments and redirections
}

// tokenizer splits a line by the rules on which POSIX, bash and dash agree. It shares no
// code with the parser. At anything that shells might read differently it gives up, and
// the line counts as unclear.
type tokenizer struct {
	line      string
	at, end   int
	nested    int // depth of enclosing substitutions
	unclear   bool
	documents []hereDocument // here-documents that start after the next newline
	tokens
}

// readTokens tokenizes a line. The bool is false if shells might read the line differently.
func readTokens(line string) (tokens, bool) {
	t := &tokenizer{line: line, end: len(line), tokens: tokens{words: map[span]string{}}}
	t.list(false)
	return t.tokens, !t.unclear && len(t.documents) == 0
}

// giveUp marks the line as unclear and moves to its end, which stops every loop.
func (t *tokenizer) giveUp() { t.unclear, t.at = true, t.end }

// is reports whether text comes next.
func (t *tokenizer) is(text string) bool { return strings.HasPrefix(t.line[t.at:t.end], text) }

// next is the next byte, or a newline at the end of the line.
func (t *tokenizer) next() byte { return t.byteAt(t.at) }

func (t *tokenizer) byteAt(at int) byte {
	if at < t.end {
		return t.line[at]
	}
	return '\n'
}

// endsWord reports whether the byte at a position ends a word.
func (t *tokenizer) endsWord(at int) bool {
	return isOneOf(t.byteAt(at), blankBytes+operatorBytes+"\n")
}

const (
	operatorBytes = ";&|()<>"
	blankBytes    = " \t"
)

func isOneOf(b byte, set string) bool { return strings.IndexByte(set, b) >= 0 }

// list reads commands to the end of the line. If bracketed, it stops before the bracket
// that closes the substitution.
func (t *tokenizer) list(bracketed bool) {
	c, brackets := partialCommand{}, 0
	for t.at < t.end {
		switch b := t.next(); {
		case isOneOf(b, blankBytes):
			t.at++
		case t.is("\\\n"):
			t.continuation()
		case b == '\n':
			t.endCommand(&c, 1)
			t.readDocuments()
		case b == '#':
			t.comment()
		case b == ')' && bracketed && brackets == 0:
			t.endCommand(&c, 0)
			return
		case t.is("<(") || t.is(">("):
			t.add(&c)
		case isOneOf(b, operatorBytes) || t.descriptor():
			brackets += t.operator(&c)
		default:
			t.add(&c)
		}
	}
	t.endCommand(&c, 0)
	if bracketed {
		t.giveUp()
	}
}

// continuation skips escaped newlines between two tokens. It gives up if an operator or a
// comment could continue after them, where shells differ.
func (t *tokenizer) continuation() {
	before := byte('\n')
	if t.at > 0 {
		before = t.line[t.at-1]
	}
	for t.is("\\\n") {
		t.at += 2
	}
	after, operator := t.next(), isOneOf(before, operatorBytes)
	if after == '#' || !operator && !isOneOf(before, " \t\n") || operator && isOneOf(after, operatorBytes) {
		t.giveUp()
	}
}

// comment skips a comment. Inside substitutions it gives up: shells differ about where the
// comment ends.
func (t *tokenizer) comment() {
	if t.nested > 0 {
		t.giveUp()
	}
	from := t.at
	for t.at < t.end && t.next() != '\n' {
		t.at++
	}
	t.words[span{from, t.at}] = t.line[from:t.at]
}

// descriptor reports whether the next byte is the number of a redirected descriptor. dash
// takes two digits for a word.
func (t *tokenizer) descriptor() bool {
	return isOneOf(t.next(), "0123456789") && isOneOf(t.byteAt(t.at+1), "<>")
}

// endCommand ends the command at an operator of size bytes. It gives up at a ! with
// nothing to negate, which shells read differently.
func (t *tokenizer) endCommand(c *partialCommand, size int) {
	if len(c.raw) > 0 && c.raw[len(c.raw)-1] == "!" && len(c.command()) == 0 && !t.is("(") {
		t.giveUp()
		return
	}
	if words := c.command(); len(words) > 0 {
		t.commands = append(t.commands, words)
	}
	*c = partialCommand{}
	t.ends = append(t.ends, t.at)
	t.at += size
}

// operators is ordered longest first. Those that only bash knows end a command in other
// shells too.
var operators = []string{"&>>", ";;&", "&>", "&&", "||", "|&", ";;", ";&", "&", "|", ";", "(", ")"}

var redirections = []string{"<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"}

// operator reads an operator and returns by how much it changes the bracket depth.
func (t *tokenizer) operator(c *partialCommand) (opened int) {
	if t.descriptor() {
		t.at++
	}
	if i := slices.IndexFunc(redirections, t.is); i >= 0 {
		sign := redirections[i]
		t.at += len(sign)
		if (sign == "<&" || sign == ">&") && t.is("-") && !t.endsWord(t.at+1) {
			t.giveUp() // to bash the - is a token of its own, and a # after it starts a comment
			return 0
		}
		c.redirecting = true
		if sign == "<<" || sign == "<<-" {
			t.queueDocument(sign)
		}
		return 0
	}
	sign := operators[slices.IndexFunc(operators, t.is)]
	if t.is("((") { // arithmetic, or nested brackets
		t.giveUp()
		return 0
	}
	t.endCommand(c, len(sign))
	if sign == ")" && !t.endsWord(t.at) {
		t.giveUp() // after an array assignment the word continues, and may hold a #
		return 0
	}
	c.redirecting = sign == "&>" || sign == "&>>"
	return strings.Count(sign, "(") - strings.Count(sign, ")")
}

// partialCommand collects the words of a command while it is being read.
type partialCommand struct {
	words       command
	raw         []string
	redirecting bool // the next word is the target of a redirection
}

// add reads a word into the command.
func (t *tokenizer) add(c *partialCommand) {
	from := t.at
	w := t.word()
	if t.unclear {
		return
	}
	raw := t.line[from:t.at]
	t.words[span{from, t.at}] = raw
	if !c.redirecting {
		c.words, c.raw = append(c.words, w), append(c.raw, strings.ReplaceAll(raw, "\\\n", ""))
	}
	c.redirecting = false
}

// commandKeywords can come before a command. After listKeywords come words that are no command.
var (
	commandKeywords = set(`! { } if then elif else fi while until do done esac time function coproc`)
	listKeywords    = set(`for select case`)
)

// command is the words after keywords and assignments; nil if they are no command.
func (c partialCommand) command() command {
	for i, raw := range c.raw {
		switch {
		case listKeywords.has(raw):
			return nil
		case !commandKeywords.has(raw) && !isAssignment(raw):
			return c.words[i:]
		}
	}
	return nil
}

// isAssignment reports whether a word before a command sets a variable.
func isAssignment(raw string) bool {
	name, _, found := strings.Cut(raw, "=")
	name = strings.TrimSuffix(name, "+")
	return found && name != "" && strings.Trim(name, plainLetters+"_") == "" && !isOneOf(name[0], "0123456789")
}
