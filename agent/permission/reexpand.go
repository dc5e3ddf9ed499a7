package permission

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// reexpanded reports whether a line may run the command where bash expands text a second
// time: in a prompt, a subscript, arithmetic, or an argument of a built-in. Such text is
// parsed; text that cannot be parsed might match.
func (p commandPattern) reexpanded(line string, file *syntax.File, depth int) bool {
	again := expandsAgain(file)
	holds := func(w *syntax.Word) bool { return w != nil && p.mayRunExpanded(w, again, depth) }
	return anyNode(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst: // escaped characters there are code one level down
			return node.Backquotes && strings.Contains(source(line, node), `\`)
		case *syntax.ParamExp:
			return node.Exp != nil && node.Exp.Op == syntax.OtherParamOps && !plainTransform(node.Exp.Word)
		case *syntax.Assign:
			return node.Name != nil && prompts.has(node.Name.Value) || again && node.Value != nil && takesFromElsewhere(node.Value) ||
				slices.ContainsFunc(wordsUnder(node), holds)
		case *syntax.TestClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.ArithmExp:
			return slices.ContainsFunc(wordsUnder(node), holds)
		case *syntax.CallExpr:
			return again && readsVariables(node) || (again || reexpands(commandOf(node))) && slices.ContainsFunc(node.Args, holds) ||
				slices.ContainsFunc(node.Args, func(w *syntax.Word) bool {
					name, _, set := strings.Cut(flat(w).text, "=")
					return set && prompts.has(name)
				})
		case *syntax.Redirect:
			return again && (holds(node.Hdoc) || holds(node.Word))
		case *syntax.WordIter:
			return again && slices.ContainsFunc(node.Items, holds)
		}
		return false
	})
}

// prompts are variables whose value bash expands or runs when it shows a prompt or starts.
var prompts = set(`BASH_ENV ENV PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4`)

// plainTransform reports whether ${x@…} only quotes or describes a variable.
func plainTransform(w *syntax.Word) bool {
	return w != nil && strings.Contains("QEAaKkULu", w.Lit()) && len(w.Lit()) == 1
}

// reexpands reports whether a command is a built-in that expands an argument, as a
// subscript or as code.
func reexpands(c command) bool {
	if len(c) == 0 || !c[0].known {
		return false
	}
	name := c[0].text
	if name == "printf" || name == "test" || name == "[" {
		return slices.ContainsFunc(c[1:], func(w word) bool {
			return !w.known && name == "printf" || strings.HasPrefix(w.text, "-v") || w.text == "-R"
		})
	}
	return expanding.has(name)
}

var expanding = set(`
	. alias bind builtin command compgen complete compopt coproc declare enable eval exec export fc getopts hash history
	let local mapfile read readarray readonly set shopt source trap typeset unset wait`)

// expandsAgain reports whether a line evaluates the contents of a variable.
func expandsAgain(file *syntax.File) bool {
	return anyNode(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.ArithmExp:
			return namesVariables(node.X)
		case *syntax.ArithmCmd:
			return namesVariables(node.X)
		case *syntax.LetClause, *syntax.CStyleLoop:
			return true
		case *syntax.ParamExp:
			return node.Excl && node.Names == 0 || namesVariables(node.Index) ||
				node.Slice != nil && (namesVariables(node.Slice.Offset) || namesVariables(node.Slice.Length))
		case *syntax.Assign:
			return namesVariables(node.Index)
		case *syntax.BinaryTest:
			return numeric[node.Op]
		case *syntax.UnaryTest:
			return node.Op == syntax.TsVarSet || node.Op == syntax.TsRefVar
		case *syntax.DeclClause:
			return slices.ContainsFunc(node.Args, declaresNumber) && node.Variant.Value != "export"
		case *syntax.CallExpr:
			c := commandOf(node)
			return reexpands(c) && !namesNoVariable.has(c[0].text) && !c.known()
		}
		return false
	})
}

// namesNoVariable are built-ins that expand an argument but take no variable name. What
// they run is checked with the wrappers.
var namesNoVariable = set(`. alias bind builtin command compgen complete coproc enable eval exec export fc hash history set shopt source trap`)

var numeric = map[syntax.BinTestOperator]bool{
	syntax.TsEql: true, syntax.TsNeq: true, syntax.TsLeq: true, syntax.TsGeq: true, syntax.TsLss: true, syntax.TsGtr: true,
}

// declaresNumber reports whether an argument of declare may make a variable an integer or
// a reference.
func declaresNumber(arg *syntax.Assign) bool {
	if !arg.Naked || arg.Value == nil {
		return false
	}
	option := wordOf(arg.Value)
	return !option.known || strings.ContainsAny(option.text[:min(1, len(option.text))], "-+") && strings.ContainsAny(option.text, "in")
}

// namesVariables reports whether an arithmetic expression holds more than numbers.
func namesVariables(x syntax.ArithmExpr) bool {
	return x != nil && anyNode(x, func(node syntax.Node) bool {
		w, ok := node.(*syntax.Word)
		return ok && !isNumber(w.Lit()) && w.Lit() != "@" && w.Lit() != "*"
	})
}

// readsVariables reports whether a command fills variables from its input.
func readsVariables(call *syntax.CallExpr) bool {
	c := commandOf(call)
	return len(c) > 0 && (c[0].text == "read" || c[0].text == "mapfile" || c[0].text == "readarray")
}

// numericPrograms print only numbers, whatever they read.
var numericPrograms = set(`date id nproc seq stat wc`)

// takesFromElsewhere reports whether a value comes from the output of a program that may
// print anything.
func takesFromElsewhere(w *syntax.Word) bool {
	return anyNode(w, func(node syntax.Node) bool {
		s, ok := node.(*syntax.CmdSubst)
		return ok && (len(s.Stmts) != 1 || !writesNumbers(s.Stmts[0]))
	})
}

func writesNumbers(stmt *syntax.Stmt) bool {
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		return cmd.Op == syntax.Pipe && writesNumbers(cmd.Y)
	case *syntax.CallExpr:
		c := commandOf(cmd)
		return len(c) > 0 && numericPrograms.has(c[0].text)
	}
	return false
}

// wordsUnder are the words below a node, without those of substitutions, which are checked
// as commands of their own.
func wordsUnder(node syntax.Node) (words []*syntax.Word) {
	syntax.Walk(node, func(inner syntax.Node) bool {
		switch inner := inner.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Word:
			words = append(words, inner)
		}
		return true
	})
	return words
}

// flatWord is the text of a word without its quotes.
type flatWord struct {
	text    string
	gap     bool // the shell inserts something
	escapes bool // it has numeric character escapes
}

var byNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[0-9xuUc]`) })

func flat(w *syntax.Word) flatWord {
	if w == nil {
		return flatWord{}
	}
	var f flatWord
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			f.text += unescaped(part.Value, "")
		case *syntax.SglQuoted:
			f.addQuoted(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					f.addQuoted(unescaped(lit.Value, "$`\"\\"))
				} else {
					f.gap = true
				}
			}
		default:
			f.gap = true
		}
	}
	return f
}

func (f *flatWord) addQuoted(text string) {
	f.escapes = f.escapes || byNumber().MatchString(text)
	f.text += text
}

// mayRunExpanded reports whether a word may run the command once it is expanded again.
// again is true if the line does that to any text.
func (p commandPattern) mayRunExpanded(w *syntax.Word, again bool, depth int) bool {
	f := flat(w)
	if f.escapes && (again || dollarQuoted(w)) {
		return true
	}
	bare := strings.ReplaceAll(f.text, `\`, "")
	switch {
	case again && strings.ContainsAny(bare, "$`"), substitutes(bare), strings.Contains(bare, "${"), strings.Contains(bare, "$["):
	case f.gap && strings.Contains(bare, "$") && again:
		return true
	default:
		return false
	}
	if bare != f.text || f.gap || depth == 0 || strings.HasSuffix(bare, "$") && again {
		return true
	}
	inner, err := syntax.NewParser().Document(strings.NewReader(f.text))
	return err != nil || p.runsIn(f.text, inner, depth-1)
}

// dollarQuoted reports whether a word has numeric character escapes that bash decodes.
func dollarQuoted(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		quoted, ok := part.(*syntax.SglQuoted)
		return ok && quoted.Dollar && byNumber().MatchString(quoted.Value)
	})
}

// runsIn reports whether the expansions in a text may run the command.
func (p commandPattern) runsIn(text string, parsed *syntax.Word, depth int) bool {
	name := &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "x"}}}
	return p.inFile(text, &syntax.File{Stmts: []*syntax.Stmt{{Redirs: []*syntax.Redirect{{Op: syntax.Hdoc, Word: name, Hdoc: parsed}}}}}, depth) != no
}

// source is the part of a line that a node covers. For a node from elsewhere it is the
// whole line behind a backslash, so that callers expect the worst.
func source(line string, node syntax.Node) string {
	from, to := node.Pos().Offset(), node.End().Offset()
	if from > to || int(to) > len(line) {
		return `\` + line
	}
	return line[from:to]
}
