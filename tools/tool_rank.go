package tools

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"pawl/agent"
)

// How much a word of the query counts in a tool, by where it stands. A word that few tools have
// counts more than one that many have.
const (
	inName      = 6.0 // it is a word of the name
	inNamePart  = 3.0 // it begins one, or one begins it
	inServer    = 2.0
	inText      = 2.0 // it is a word of the description or the name of an argument
	inTextPart  = 1.0
	shortestCut = 4   // letters that two words must share to be of one kind: "issue", "issues"
	enoughOf    = 3.0 // the worst that is shown has at least this part of the best
)

// searched is a tool as words.
type searchedTool struct {
	tool               agent.Tool
	name, server, text map[string]bool
}

// rank returns the tools that fit a query, the best first. The same tools and query give the same
// order, whatever the order of the tools.
func rank(all []agent.Tool, query string) []agent.Tool {
	terms := wordsOf(query)
	tools := make([]searchedTool, len(all))
	for i, tool := range all {
		name := strings.TrimPrefix(tool.Spec.Name, "mcp__"+tool.Server+"__")
		tools[i] = searchedTool{tool, setOf(wordsOf(name)), setOf(wordsOf(tool.Server)), setOf(wordsOf(tool.Spec.Description + " " + argumentsOf(tool.Spec.Schema)))}
	}
	weights := map[string]float64{}
	for _, term := range terms {
		with := 0
		for _, t := range tools {
			if t.score(term) > 0 {
				with++
			}
		}
		weights[term] = math.Log(1 + float64(len(tools)+1)/float64(with+1))
	}
	type scored struct {
		tool  agent.Tool
		score float64
	}
	var found []scored
	for _, t := range tools {
		sum, matched := 0.0, 0
		for _, term := range terms {
			if score := t.score(term); score > 0 {
				sum, matched = sum+weights[term]*score, matched+1
			}
		}
		sum *= float64(matched) / float64(max(1, len(terms))) // one that has all of them goes first
		if strings.Contains(query, t.tool.Spec.Name) {        // it is named
			sum += 1000
		}
		if sum > 0 {
			found = append(found, scored{t.tool, sum})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.tool.Spec.Name, b.tool.Spec.Name))
	})
	var best []agent.Tool
	for _, one := range found[:min(mostFoundTools, len(found))] {
		if one.score*enoughOf >= found[0].score {
			best = append(best, one.tool)
		}
	}
	return best
}

// score is what one word of a query counts in the tool.
func (t searchedTool) score(term string) float64 {
	most := 0.0
	for _, at := range []struct {
		words       map[string]bool
		whole, part float64
	}{{t.name, inName, inNamePart}, {t.server, inServer, 0}, {t.text, inText, inTextPart}} {
		if at.words[term] {
			most = max(most, at.whole)
			continue
		}
		for word := range at.words {
			if akin(word, term) {
				most = max(most, at.part)
			}
		}
	}
	return most
}

// akin reports whether one word begins with the other, as "issues" does with "issue".
func akin(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(b) >= shortestCut && strings.HasPrefix(a, b)
}

// wordsOf parts a text into words in small letters, also createIssue and create_issue. Words that
// stand in every text are left out.
func wordsOf(text string) (all []string) {
	var word strings.Builder
	end := func() {
		if w := strings.ToLower(word.String()); w != "" && !everywhere()[w] && !slices.Contains(all, w) {
			all = append(all, w)
		}
		word.Reset()
	}
	small := false
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if unicode.IsUpper(r) && small {
			end()
		}
		small = !unicode.IsUpper(r)
		word.WriteRune(r)
	}
	end()
	return all
}

// everywhere are words that say nothing of a tool.
var everywhere = sync.OnceValue(func() map[string]bool {
	return setOf(strings.Fields("a an and as at be by do for from get i if in into is it its me my of on or that the this to tool tools use want with you your"))
})

func setOf(all []string) map[string]bool {
	set := map[string]bool{}
	for _, one := range all {
		set[one] = true
	}
	return set
}

// argumentsOf are the names of a tool's arguments, as words.
func argumentsOf(schema json.RawMessage) string {
	var form struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &form) != nil {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(form.Properties)), " ")
}
