package permission

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxLine is the longest command line that is parsed, in bytes. It also bounds how deep
// the parser recurses.
const maxLine = 16 << 10

// command is one simple command: a program and its arguments.
type command []word

// word is one word of a command. If only the shell can tell what it becomes, known is
// false and text is empty.
type word struct {
	text  string
	known bool
}

// parseLine parses a line as bash would.
func parseLine(line string) (*syntax.File, bool) { return parseAs(syntax.LangBash, line) }

func parseAs(lang syntax.LangVariant, line string) (*syntax.File, bool) {
	if len(line) > maxLine || strings.ContainsRune(line, 0) {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(line), "")
	return file, err == nil
}

// plainCommands splits a line that consists only of commands with known words, in sequence
// or piped. plain reports whether the line is of that form. Without bash, sh runs the
// line, so it must mean the same to both: bash takes &> for a redirection, sh for a
// background job. The tokenizer has to agree with the parser as well.
func plainCommands(line string) (commands []command, plain bool) {
	commands, plain = plainIn(syntax.LangBash, line)
	if !plain {
		return nil, false
	}
	others, plain := plainIn(syntax.LangPOSIX, line)
	return commands, plain && slices.EqualFunc(commands, others, slices.Equal)
}

func plainIn(lang syntax.LangVariant, line string) (commands []command, plain bool) {
	file, ok := parseAs(lang, line)
	if !ok || len(file.Stmts) == 0 || strings.ContainsFunc(line, invisible) {
		return nil, false
	}
	second, agree := crossCheck(line, file)
	if !agree {
		return nil, false
	}
	commands, plain = plainStatements(file.Stmts)
	if !plain || !slices.EqualFunc(commands, second.commands, command.sameText) {
		return nil, false
	}
	return commands, len(commands) == 1 || !slices.ContainsFunc(commands, command.changesLater)
}

// sameText reports whether two commands have the same words, known or not.
func (c command) sameText(other command) bool {
	return slices.EqualFunc(c, other, func(a, b word) bool { return a.text == b.text })
}

// invisible reports whether a character may not be seen, or be taken for another one.
func invisible(r rune) bool {
	return r != '\n' && r != '\t' && (r == utf8.RuneError || unprintable(r))
}

func plainStatement(stmt *syntax.Stmt) ([]command, bool) {
	if stmt.Background || stmt.Coprocess || stmt.Disown ||
		slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool { return !harmless(r) }) {
		return nil, false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		c := commandOf(cmd)
		return []command{c}, len(cmd.Assigns) == 0 && len(c) > 0 && c.known()
	case *syntax.BinaryCmd:
		return plainStatements([]*syntax.Stmt{cmd.X, cmd.Y})
	case *syntax.Subshell:
		return plainStatements(cmd.Stmts)
	case *syntax.Block:
		return plainStatements(cmd.Stmts)
	}
	return nil, false
}

func plainStatements(stmts []*syntax.Stmt) (commands []command, plain bool) {
	for _, stmt := range stmts {
		more, plain := plainStatement(stmt)
		if !plain {
			return nil, false
		}
		commands = append(commands, more...)
	}
	return commands, true
}

// harmless reports whether a redirection opens and writes nothing but the null device.
func harmless(r *syntax.Redirect) bool {
	target := wordOf(r.Word)
	if r.Hdoc != nil || !target.known || r.N != nil && !isNumber(r.N.Value) {
		return false
	}
	switch r.Op {
	case syntax.DplOut, syntax.DplIn:
		return isNumber(target.text) && len(target.text) == 1 // dash takes a single digit only
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrIn:
		return target.text == "/dev/null"
	default: // writes or truncates a file, or feeds in text
		return false
	}
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// allCommands finds every simple command of a line, nested ones included.
func allCommands(file *syntax.File) (commands []command) {
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CallExpr:
			if c := commandOf(node); len(c) > 0 {
				commands = append(commands, c)
			}
		case *syntax.DeclClause:
			commands = append(commands, command{{node.Variant.Value, true}, {}})
		case *syntax.CoprocClause: // bash allows no name before a simple command
			if _, simple := node.Stmt.Cmd.(*syntax.CallExpr); node.Name != nil && (simple || node.Stmt.Cmd == nil) {
				commands = append(commands, command{{}})
			}
		}
		return true
	})
	return commands
}

func commandOf(call *syntax.CallExpr) command {
	var c command
	for _, w := range call.Args {
		c = append(c, wordOf(w))
	}
	return c
}

func (c command) known() bool {
	return !slices.ContainsFunc(c, func(w word) bool { return !w.known })
}

// anyNode reports whether a condition holds for a node or for any below it.
func anyNode(root syntax.Node, holds func(syntax.Node) bool) bool {
	found := false
	syntax.Walk(root, func(node syntax.Node) bool {
		found = found || node != nil && holds(node)
		return !found
	})
	return found
}

// wordOf reads a word that the shell does not expand, quoted or not. Any other word is unknown.
func wordOf(w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	if lit := w.Lit(); lit == "[" || lit == "]" { // the program test; a bracket expression needs both
		return word{lit, true}
	}
	var b strings.Builder
	for _, part := range w.Parts {
		text, ok := literal(part)
		if lit, bare := part.(*syntax.Lit); bare && len(w.Parts) > 1 && strings.Contains(lit.Value, "{") {
			ok = false // the closing brace of the list may be in another part
		}
		if !ok {
			return word{}
		}
		b.WriteString(text)
	}
	return word{b.String(), true}
}

func literal(part syntax.WordPart) (string, bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		return unquoted(part.Value)
	case *syntax.SglQuoted:
		return part.Value, !part.Dollar
	case *syntax.DblQuoted:
		var b strings.Builder
		for _, inner := range part.Parts {
			lit, ok := inner.(*syntax.Lit)
			if !ok {
				return "", false
			}
			b.WriteString(unescaped(lit.Value, "$`\"\\"))
		}
		return b.String(), !part.Dollar
	}
	return "", false
}

// unquoted reads unquoted text. ok is false if the shell would expand it.
func unquoted(text string) (string, bool) {
	if strings.Contains(text, "\\\n") {
		return "", false
	}
	plain := strings.ReplaceAll(text, `\\`, "")
	for i, r := range plain {
		expands := strings.ContainsRune("*?[~", r) || r == '{' && strings.ContainsAny(plain, ",.")
		if !expands {
			continue
		}
		escaped := i > 0 && plain[i-1] == '\\'
		inside := r == '~' && i > 0 && !strings.ContainsRune(":=", rune(plain[i-1]))
		if !escaped && !inside {
			return "", false
		}
	}
	return unescaped(text, ""), true
}

// unescaped removes the backslashes before the bytes in of, or before any byte if of is empty.
func unescaped(text, of string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (of == "" || strings.IndexByte(of, text[i+1]) >= 0) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
