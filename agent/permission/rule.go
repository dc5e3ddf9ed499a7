package permission

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pawl/agent"
	"pawl/internal/words"
)

// Rule matches effects of one kind: shell(go test *), edit(src/**), read(.env),
// fetch(host:go.dev), mcp(server__tool), search(host:go.dev). The zero value matches none.
type Rule struct {
	kind  agent.EffectKind
	text  string
	match matcher
}

// matcher compares a subject with a rule.
type matcher interface {
	// mightMatch is for rules that restrict: could the subject be meant?
	mightMatch(subject string) answer
	// plainlyMatches is for rules that allow: is the subject meant beyond doubt?
	plainlyMatches(subject string) bool
	// neverAllows explains why plainlyMatches is never true, or returns nil.
	neverAllows() error
}

// answer says whether an effect is meant by a rule.
type answer int

// The answers, from weakest to strongest.
const (
	no answer = iota
	maybe
	yes
)

func (r Rule) String() string { return r.text }

// kinds are the names with which a rule can begin.
var kinds = []string{string(agent.EffectShell), string(agent.EffectEdit), string(agent.EffectRead), string(agent.EffectFetch), string(agent.EffectMCP), string(agent.EffectSearch)}

// ParseRule parses a rule. An error names the column, from 1, and what belongs there.
func ParseRule(text string) (Rule, error) {
	name, rest, open := strings.Cut(text, "(")
	kind := strings.TrimSpace(name)
	if !slices.Contains(kinds, kind) {
		return Rule{}, at(text, 1, "%q is not a kind of rule%s It is shell, edit, read, fetch, mcp or search", kind, cmp.Or(words.DidYouMean(kind, kinds), "."))
	}
	if !open {
		return Rule{}, at(text, len(name)+1, "what it is about is missing: write %s(…), with * for everything", kind)
	}
	inner, closed := strings.CutSuffix(strings.TrimRight(rest, " \t"), ")")
	switch {
	case !closed:
		return Rule{}, at(text, len(text)+1, "the closing bracket is missing")
	case strings.TrimSpace(inner) == "":
		return Rule{}, at(text, len(name)+2, "it is about nothing: write %s(*) for everything", kind)
	case strings.ContainsFunc(inner, unprintable):
		return Rule{}, at(text, len(name)+2, "it holds invisible characters")
	}
	parse := map[agent.EffectKind]func(string) (matcher, error){
		agent.EffectShell: parseCommand, agent.EffectEdit: parsePath, agent.EffectRead: parsePath,
		agent.EffectFetch: parseHost, agent.EffectMCP: parseTool, agent.EffectSearch: parseSearched,
	}[agent.EffectKind(kind)]
	match, err := parse(strings.TrimSpace(inner))
	if err != nil {
		return Rule{}, at(text, len(name)+2, "%v", err)
	}
	return Rule{kind: agent.EffectKind(kind), text: text, match: match}, nil
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

func at(text string, column int, format string, args ...any) error {
	return fmt.Errorf("rule %q, column %d: "+format, append([]any{text, column}, args...)...)
}

// mightMatch reports whether an effect may be meant.
func (r Rule) mightMatch(e agent.Effect) answer {
	if r.match == nil || r.kind != e.Kind {
		return no
	}
	return r.match.mightMatch(e.Subject)
}

// plainlyMatches reports whether an effect is meant beyond doubt.
func (r Rule) plainlyMatches(e agent.Effect) bool {
	return r.match != nil && r.kind == e.Kind && r.match.plainlyMatches(e.Subject)
}

// MarshalText returns the rule as it was written.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.text), nil }

// UnmarshalText parses a rule.
func (r *Rule) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRule(string(text))
	return err
}

// AskRule is a rule that makes Pawl ask a person.
type AskRule struct{ Rule }

// UnmarshalText parses the rule, and refuses kinds that are never asked about.
func (r *AskRule) UnmarshalText(text []byte) error {
	if err := r.Rule.UnmarshalText(text); err != nil {
		return err
	}
	if r.kind == agent.EffectRead {
		return at(r.text, 1, "reading is never asked about: deny it, or leave the rule out")
	}
	if r.kind == agent.EffectSearch {
		return at(r.text, 1, "a search cannot be asked about, because the model's server makes it within an answer: allow it or deny it")
	}
	return nil
}

// AllowRule is a rule that allows effects without a question.
type AllowRule struct{ Rule }

// UnmarshalText parses the rule, and refuses one that could allow nothing.
func (r *AllowRule) UnmarshalText(text []byte) error {
	if err := r.Rule.UnmarshalText(text); err != nil {
		return err
	}
	if r.kind == agent.EffectRead {
		return at(r.text, 1, "reading is free: the rule would do nothing")
	}
	if err := r.match.neverAllows(); err != nil {
		return at(r.text, len(r.kind)+2, "it can allow nothing: %v", err)
	}
	return nil
}
