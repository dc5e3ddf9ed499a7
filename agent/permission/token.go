package permission

import (
	"slices"
	"strings"
)

// span is where a token stands in a line, in bytes.
type span struct{ from, to int }

// tokens is a line as tokens, without a grammar.
type tokens struct {
	words    map[span]string // as they stand in the line, targets of redirections and comments among them
	ends     []int           // where a command may end: at operators and newlines
	commands []command       // the words between these, without keywords, settings and redirections
}

// tokenizer takes a line apart as POSIX, bash and dash say that tokens end. It shares
// nothing with the parser and knows nothing but what all shells read alike: at anything
// else it gives up, and the line is unclear.
type tokenizer struct {
	line      string
	at, end   int
	nested    int // substitutions around
	unclear   bool
	documents []hereDocument // those whose text begins behind the next newline
	tokens
}

// readTokens says whether the line is clear.
func readTokens(line string) (tokens, bool) {
	t := &tokenizer{line: line, end: len(line), tokens: tokens{words: map[span]string{}}}
	t.list(false)
	return t.tokens, !t.unclear && len(t.documents) == 0
}

// giveUp ends every loop.
func (t *tokenizer) giveUp() { t.unclear, t.at = true, t.end }

// is says whether text comes next.
func (t *tokenizer) is(text string) bool { return strings.HasPrefix(t.line[t.at:t.end], text) }

// next is the byte that comes next; a newline at the end, which ends what a newline ends.
func (t *tokenizer) next() byte { return t.byteAt(t.at) }

func (t *tokenizer) byteAt(at int) byte {
	if at < t.end {
		return t.line[at]
	}
	return '\n'
}

// endsWord says whether no word can go on with the byte at a place.
func (t *tokenizer) endsWord(at int) bool {
	return isOneOf(t.byteAt(at), blankBytes+operatorBytes+"\n")
}

const (
	operatorBytes = ";&|()<>"
	blankBytes    = " \t"
)

func isOneOf(b byte, set string) bool { return strings.IndexByte(set, b) >= 0 }

// list reads commands to the end of the line or, where it is the inside of brackets of
// a substitution, to the one that closes them, before which it stops.
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

// continuation passes over ends of lines that are none, between two tokens. Where an
// operator or a comment could go on behind them, shells differ.
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

// comment passes over one. In a substitution shells have looked for its end in ways of
// their own.
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

// descriptor says whether a digit comes next that says what is redirected. To dash two
// digits are a word.
func (t *tokenizer) descriptor() bool {
	return isOneOf(t.next(), "0123456789") && isOneOf(t.byteAt(t.at+1), "<>")
}

// endCommand ends a command with an operator of that many bytes. What ! negates where
// nothing stands behind it shells differ about.
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

// operators are the longest first. What only bash knows of them ends a command, as what
// other shells make of it does.
var operators = []string{"&>>", ";;&", "&>", "&&", "||", "|&", ";;", ";&", "&", "|", ";", "(", ")"}

var redirections = []string{"<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"}

// operator gives the change of how many brackets are open.
func (t *tokenizer) operator(c *partialCommand) (opened int) {
	if t.descriptor() {
		t.at++
	}
	if i := slices.IndexFunc(redirections, t.is); i >= 0 {
		sign := redirections[i]
		t.at += len(sign)
		if (sign == "<&" || sign == ">&") && t.is("-") && !t.endsWord(t.at+1) {
			t.giveUp() // to bash the - is a token of its own, and a # behind it a comment
			return 0
		}
		c.redirecting = true
		if sign == "<<" || sign == "<<-" {
			t.queueDocument(sign)
		}
		return 0
	}
	sign := operators[slices.IndexFunc(operators, t.is)]
	if t.is("((") { // arithmetic, or brackets in brackets
		t.giveUp()
		return 0
	}
	t.endCommand(c, len(sign))
	if sign == ")" && !t.endsWord(t.at) {
		t.giveUp() // behind a list that is set the word goes on, with a # in it
		return 0
	}
	c.redirecting = sign == "&>" || sign == "&>>"
	return strings.Count(sign, "(") - strings.Count(sign, ")")
}

// partialCommand is the words of a command while they are read.
type partialCommand struct {
	words       command
	raw         []string
	redirecting bool // the next word says where to redirect
}

// add reads a word into a group.
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

// commandKeywords are the keywords that a command can stand behind; the words of the others are
// none.
var (
	commandKeywords = set(`! { } if then elif else fi while until do done esac time function coproc`)
	listKeywords    = set(`for select case`)
)

// command is what runs, if it is one.
func (c partialCommand) command() command {
	for i, raw := range c.raw {
		switch {
		case listKeywords[raw]:
			return nil
		case !commandKeywords[raw] && !isAssignment(raw):
			return c.words[i:]
		}
	}
	return nil
}

// isAssignment says whether a word in front of a command sets a variable.
func isAssignment(raw string) bool {
	name, _, found := strings.Cut(raw, "=")
	name = strings.TrimSuffix(name, "+")
	return found && name != "" && strings.Trim(name, plainLetters+"_") == "" && !isOneOf(name[0], "0123456789")
}
