package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// commandPattern is how a rule describes a simple command: words in which * matches any
// characters. A final * matches any further words, or none.
type commandPattern struct {
	words []wordPattern
	rest  bool
}

// wordPattern is a word split at its stars. One piece is a word without a star.
type wordPattern []string

func parseCommand(text string) (matcher, error) {
	if text == "*" {
		return commandPattern{rest: true}, nil
	}
	file, ok := parseLine(text)
	if !ok || len(file.Stmts) != 1 {
		return nil, errors.New("it can never match: a rule is about one simple command, and each of a command line is matched by itself")
	}
	stmt := file.Stmts[0]
	words := simpleWords(stmt.Cmd)
	if len(words) == 0 || len(stmt.Redirs) > 0 || stmt.Background || stmt.Coprocess || stmt.Negated {
		return nil, errors.New("it can never match: a rule is about one simple command, without redirections and assignments")
	}
	var p commandPattern
	for i, w := range words {
		pattern, err := patternOf(w)
		if err != nil {
			return nil, err
		}
		if i > 0 && i == len(words)-1 && pattern.any() {
			p.rest = true
			break
		}
		p.words = append(p.words, pattern)
	}
	return p, nil
}

// simpleWords are the words of a simple command without assignments; nil for any other.
func simpleWords(cmd syntax.Command) []*syntax.Word {
	switch cmd := cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Assigns) == 0 {
			return cmd.Args
		}
	case *syntax.DeclClause: // export and the like have a syntax of their own
		words := []*syntax.Word{{Parts: []syntax.WordPart{cmd.Variant}}}
		for _, arg := range cmd.Args {
			switch {
			case !arg.Naked || arg.Index != nil || arg.Array != nil:
				return nil
			case arg.Value != nil:
				words = append(words, arg.Value)
			default:
				words = append(words, &syntax.Word{Parts: []syntax.WordPart{arg.Name}})
			}
		}
		return words
	}
	return nil
}

func patternOf(w *syntax.Word) (wordPattern, error) {
	pieces := wordPattern{""}
	for _, part := range w.Parts {
		lit, bare := part.(*syntax.Lit)
		if !bare {
			text, ok := literal(part)
			if !ok {
				return nil, errors.New("it can never match: what the shell expands is not known when the rule is checked")
			}
			pieces[len(pieces)-1] += text
			continue
		}
		for i, piece := range strings.Split(lit.Value, "*") {
			text, ok := unquoted(piece)
			if !ok {
				return nil, fmt.Errorf("it can never match: in %q only * is a wildcard", lit.Value)
			}
			if i > 0 {
				pieces = append(pieces, "")
			}
			pieces[len(pieces)-1] += text
		}
	}
	return pieces, nil
}

// any reports whether the pattern is only a star.
func (p wordPattern) any() bool { return strings.Join(p, "") == "" && len(p) > 1 }

// exact reports whether the pattern has no star.
func (p wordPattern) exact() bool { return len(p) == 1 }

func (p wordPattern) matches(text string) bool {
	if p.exact() {
		return text == p[0]
	}
	text, ok := strings.CutPrefix(text, p[0])
	if !ok {
		return false
	}
	for _, piece := range p[1 : len(p)-1] {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return strings.HasSuffix(text, p[len(p)-1])
}

// covers reports whether a command with known words plainly matches.
func (p commandPattern) covers(c command) bool {
	if len(c) < len(p.words) || len(c) > len(p.words) && !p.rest {
		return false
	}
	for i, pattern := range p.words {
		if !c[i].known || !pattern.matches(c[i].text) {
			return false
		}
	}
	return p.starsCover(c)
}

// plainlyMatches handles a line of one command. Rules checks each command of a longer one.
func (p commandPattern) plainlyMatches(line string) bool {
	commands, plain := plainCommands(line)
	return plain && len(commands) == 1 && p.covers(commands[0])
}

// mightMatch reports whether a line may run the command of the rule, directly or through
// commands that its commands run.
func (p commandPattern) mightMatch(line string) answer { return p.inLine(line, maxDepth) }

// maxDepth is how many levels of lines within lines are parsed, as in sh -c "sh -c …".
const maxDepth = 4

func (p commandPattern) inLine(line string, depth int) answer {
	if len(p.words) == 0 {
		return yes // every command
	}
	file, ok := parseLine(line)
	if !ok || depth == 0 || strings.ContainsFunc(line, ambiguous) {
		return maybe
	}
	result := p.inFile(line, file, depth)
	if result == no && p.mayRunOtherwise(line, file, depth) {
		return maybe
	}
	return result
}

// inFile is inLine for a line that is already parsed.
func (p commandPattern) inFile(line string, file *syntax.File, depth int) answer {
	result := no
	for _, c := range allCommands(file) {
		result = max(result, p.mayRun(c, depth))
	}
	if result == no && (p.hinted(line, file) || p.feedsCode(line, file) || p.writtenAndRun(line, file) || p.reexpanded(line, file, depth)) {
		return maybe
	}
	return result
}

func (p commandPattern) mayRun(c command, depth int) answer {
	result := p.mayBe(c)
	switch {
	case c.onlyLooksUp():
	case runsOthers(c[0]):
		result = max(result, p.runByWrapper(c, depth))
	case c.hasInlineProgram(), c.inlineRunsOthers():
		result = max(result, p.runByLanguage(c, depth))
	case result == no && p.mentioned(c, depth):
		result = maybe
	}
	if result == no && p.renamed(c) {
		return maybe
	}
	return result
}

// mayRunOtherwise reports whether a line may run the command in a shell that reads it
// differently from the parser.
func (p commandPattern) mayRunOtherwise(line string, file *syntax.File, depth int) bool {
	second, agree := crossCheck(line, file)
	return !agree || slices.ContainsFunc(second.commands, func(c command) bool {
		return c[0].known && p.mayRun(c, depth) != no
	})
}

// maxRunWords is how many arguments of a wrapper are checked, each as a possible start of
// the wrapped command.
const maxRunWords = 200

// runByWrapper checks what a program that runs others may run: the arguments from any
// position on, and a command line in any one of them.
func (p commandPattern) runByWrapper(c command, depth int) answer {
	if len(c) > maxRunWords {
		return maybe
	}
	if feedsArguments(c[0]) { // with more arguments from its input
		c = append(c[:len(c):len(c)], word{})
	}
	result := no
	if c.readsItsLines() || c.envSplits() {
		result = maybe
	}
	for i, w := range c[1:] {
		rest := c[1+i:]
		result = max(result, p.mayBe(rest))
		if rest.readsItsLines() || feedsArguments(w) {
			result = max(result, maybe)
		}
		for _, line := range lines(w) {
			result = max(result, p.inLine(line, depth-1))
		}
	}
	return result
}

// runByLanguage checks what an inline program of a language may run from its arguments.
func (p commandPattern) runByLanguage(c command, depth int) answer {
	runs := false // the inline program runs what follows
	for i, w := range c[1:] {
		if rest := c[1+i:]; w.known && (p.mayBe(rest) != no || rest.readsItsLines() || feedsArguments(w)) {
			return maybe
		}
		if runs && slices.ContainsFunc(lines(w), func(line string) bool { return p.inLine(line, depth-1) != no }) {
			return maybe
		}
		runs = runs || runCalls().MatchString(w.text)
	}
	return no
}

// blanksAndSigns are characters that a plain name does not contain.
const blanksAndSigns = " \t\n;&|(){}<>$`'\"\\"

// lines returns the command lines that an argument of a wrapper may hold: the argument
// itself, the value after an =, and the value attached to a short option.
func lines(w word) (all []string) {
	_, value, isSetting := strings.Cut(w.text, "=")
	if strings.ContainsAny(w.text, blanksAndSigns) {
		all = append(all, w.text)
	}
	if isSetting && value != "" {
		all = append(all, value)
	}
	if len(w.text) > 2 && w.text[0] == '-' && w.text[1] != '-' {
		for i := 2; i < min(len(w.text), maxShortOptions); i++ { // the option may follow others in its group
			all = append(all, w.text[i:])
		}
	}
	return all
}

// maxShortOptions is how far into a group of short options the one with a value is looked for.
const maxShortOptions = 8

// readsItsLines reports whether a command is a shell that runs its input.
func (c command) readsItsLines() bool {
	if len(c) == 0 || !c[0].known || !shells.has(programName(c[0].text)) {
		return false
	}
	for _, w := range c[1:] {
		switch {
		case !w.known, strings.HasPrefix(w.text, "-") && w.text != "-" && strings.Contains(w.text, "c"):
			return false
		case w.text == "-", strings.HasPrefix(w.text, "/dev/"), strings.HasPrefix(w.text, "/proc/"):
			return true
		case !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "+"):
			return false
		}
	}
	return true
}

// mayBe reports whether a command may match the pattern, with options between its words:
// git -C there push is git push.
func (p commandPattern) mayBe(c command) answer {
	if len(c) == 0 || !c[0].known {
		return maybe
	}
	if p.isProgram(c[0].text) {
		return max(p.matchArguments(c[1:]), p.matchNested(c[1:]))
	}
	return max(p.matchDashed(c), p.matchAlias(c))
}

// position is how far a pattern has been matched.
type position struct {
	at          int  // word patterns matched
	afterOption bool // the next word may be the value of an option
}

// matchArguments matches the words after the program.
func (p commandPattern) matchArguments(words command) answer {
	patterns := p.words[1:]
	alive := positions{{}: true}
	for _, w := range words {
		if p.rest && alive.reached(len(patterns)) {
			return yes
		}
		if len(alive) == 0 {
			return no
		}
		if !w.known {
			return maybe
		}
		next, option := positions{}, strings.HasPrefix(w.text, "-")
		for from := range alive {
			if from.at < len(patterns) && patterns[from.at].matches(w.text) {
				next[position{at: from.at + 1}] = true
			}
			if option || from.afterOption {
				next[position{from.at, option}] = true
			}
		}
		alive = next
	}
	if alive.reached(len(patterns)) {
		return yes
	}
	return no
}

// positions are all the positions that a pattern may have reached.
type positions map[position]bool

func (p positions) reached(at int) bool { return p[position{at: at}] || p[position{at, true}] }
