package permission

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"pawl/agent"
)

// Narrowing is what a run may do at most, beside reading: an effect that none of the rules is about
// is denied. It allows nothing by itself, so that a command line need not be meant beyond doubt.
type Narrowing []Rule

// ParseNarrowing parses the rules of a narrowing. Nil narrows nothing.
func ParseNarrowing(texts []string) (Narrowing, error) {
	if texts == nil {
		return nil, nil
	}
	n := Narrowing{}
	for _, text := range texts {
		rule, err := ParseRule(text)
		if err != nil {
			return nil, err
		}
		n = append(n, rule)
	}
	return n, nil
}

// Covers reports whether an effect is one that a run may have. Of a command line each command
// counts, those in its substitutions too, and none may write to a file by a redirection.
func (n Narrowing) Covers(effect agent.Effect) bool {
	switch {
	case n == nil, effect.Kind == agent.EffectRead:
		return true
	case effect.Kind != agent.EffectShell:
		return slices.ContainsFunc(n, func(rule Rule) bool { return rule.plainlyMatches(effect) })
	}
	var patterns []commandPattern
	for _, rule := range n {
		if pattern, ok := rule.match.(commandPattern); ok {
			patterns = append(patterns, pattern)
		}
	}
	if slices.ContainsFunc(patterns, func(p commandPattern) bool { return len(p.words) == 0 }) {
		return true
	}
	file, ok := parseLine(effect.Subject)
	if !ok || anyNode(file, changesBeside) {
		return false
	}
	commands := allCommands(file)
	return len(commands) > 0 && !slices.ContainsFunc(commands, func(c command) bool {
		return !c.onlyText() && !slices.ContainsFunc(patterns, func(p commandPattern) bool { return p.spells(c) })
	})
}

// changesBeside reports a redirection into a file, or a variable for a program.
func changesBeside(node syntax.Node) bool {
	switch node := node.(type) {
	case *syntax.Redirect:
		return node.Hdoc == nil && node.Op != syntax.WordHdoc && node.Op != syntax.RdrIn && !harmless(node)
	case *syntax.CallExpr:
		return len(node.Assigns) > 0
	}
	return false
}

// onlyText reports a command that only writes the text that it is given, such as the cat of a
// message that stands in the line.
func (c command) onlyText() bool {
	return c[0].known && (c[0].text == "echo" || c[0].text == "cat" && len(c) == 1)
}

// spells reports whether a command begins with the words of the pattern.
func (p commandPattern) spells(c command) bool {
	if len(c) < len(p.words) || len(c) > len(p.words) && !p.rest {
		return false
	}
	for i, pattern := range p.words {
		if !c[i].known || !pattern.matches(c[i].text) {
			return false
		}
	}
	return true
}
