package permission

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// crossCheck tokenizes a line without the parser. The bool is false if the parser found
// other tokens, so that a shell might read the line differently.
func crossCheck(line string, file *syntax.File) (tokens, bool) {
	second, agree := readTokens(line)
	if !agree {
		return second, false
	}
	first := parsed{words: map[span]bool{}, enclosed: map[syntax.Node]bool{}}
	syntax.Walk(file, first.node)
	for word := range first.words {
		if _, found := second.words[word]; !found {
			return second, false
		}
	}
	for word, raw := range second.words {
		if !first.words[word] && !keywords.has(raw) && !first.isTestOperator(word, raw) {
			return second, false
		}
	}
	for _, gap := range first.gaps {
		if at, _ := slices.BinarySearch(second.ends, gap.from); at < len(second.ends) && second.ends[at] < gap.to {
			return second, false
		}
	}
	return second, true
}

// keywords are the words for which the parser records no position.
var keywords = set(`! { } if then elif else fi while until do done for in case esac select time function coproc [[ ]]`)

// parsed holds where the parser found words.
type parsed struct {
	words    map[span]bool
	gaps     []span // between the words of one command
	tests    []span
	enclosed map[syntax.Node]bool // words that are part of a longer one
}

func spanOf(node syntax.Node) span {
	return span{int(node.Pos().Offset()), int(node.End().Offset())}
}

func spansOf[N syntax.Node](nodes []N) (spans []span) {
	for _, node := range nodes {
		spans = append(spans, spanOf(node))
	}
	return spans
}

func (p *parsed) node(node syntax.Node) bool {
	switch node := node.(type) {
	case *syntax.Word:
		if !p.enclosed[node] {
			p.words[spanOf(node)] = true
		}
	case *syntax.Comment:
		p.words[spanOf(node)] = true
	case *syntax.CallExpr:
		p.addGaps(append(spansOf(node.Assigns), spansOf(node.Args)...))
	case *syntax.DeclClause:
		p.words[spanOf(node.Variant)] = true
		p.addGaps(append([]span{spanOf(node.Variant)}, spansOf(node.Args)...))
	case *syntax.Assign:
		p.assignment(node)
	case *syntax.Redirect:
		p.enclosed[node.Hdoc] = true
	case *syntax.FuncDecl:
		if node.Name != nil {
			p.words[spanOf(node.Name)] = true
		}
	case *syntax.WordIter:
		p.words[spanOf(node.Name)] = true
	case *syntax.TestClause:
		p.tests = append(p.tests, spanOf(node))
	case *syntax.ParamExp, *syntax.ArithmExp: // the tokenizer gives up if they hold words
		return false
	}
	return true
}

// addGaps records the gaps between the words of one command.
func (p *parsed) addGaps(words []span) {
	for i := 1; i < len(words); i++ {
		p.gaps = append(p.gaps, span{words[i-1].to, words[i].from})
	}
}

func (p *parsed) assignment(a *syntax.Assign) {
	switch {
	case a.Array != nil: // the bracket is not part of the word
		p.words[span{spanOf(a).from, spanOf(a.Array).from}] = true
	case a.Naked && a.Value != nil: // an ordinary word
	default:
		p.words[spanOf(a)] = true
		if a.Value != nil {
			p.enclosed[a.Value] = true
		}
	}
}

// isTestOperator reports whether a word is an operator inside [[ … ]].
func (p *parsed) isTestOperator(word span, raw string) bool {
	return slices.ContainsFunc(p.tests, func(test span) bool { return test.from <= word.from && word.to <= test.to }) &&
		(strings.HasPrefix(raw, "-") && len(raw) <= 3 || testOperators.has(raw))
}

var testOperators = set(`= == != =~`)
