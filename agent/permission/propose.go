package permission

import (
	"path"
	"slices"
	"strings"

	"pawl/agent"
)

// A proposal must be short enough to be read at a glance.
const (
	maxProposalLength = 160 // bytes of one rule
	maxProposals      = 3   // rules for one command line
)

// Propose returns allow rules that would let an effect go ahead, the narrowest that will be
// useful again. It returns none if none are safe, or if a stricter rule, the mode or protection
// would still ask. Each is new, and together with r they make Decide allow the effect.
func (r Rules) Propose(mode Mode, effect agent.Effect) []AllowRule {
	var proposals []AllowRule
	for _, inner := range r.proposedTexts(effect) {
		var rule AllowRule
		text := string(effect.Kind) + "(" + inner + ")"
		if len(text) > maxProposalLength || rule.UnmarshalText([]byte(text)) != nil {
			return nil
		}
		proposals = append(proposals, rule)
	}
	if len(proposals) == 0 || len(proposals) > maxProposals {
		return nil
	}
	r.Allow = slices.Concat(r.Allow, proposals)
	if decision, _ := r.Decide(mode, effect); decision != Allow {
		return nil
	}
	return proposals
}

// proposedTexts are the texts between the brackets of the proposed rules; nil if any part
// of the effect has none.
func (r Rules) proposedTexts(effect agent.Effect) []string {
	var inner string
	switch effect.Kind {
	case agent.EffectShell:
		return r.proposeCommands(effect.Subject)
	case agent.EffectEdit:
		inner = proposePath(effect.Subject)
	case agent.EffectFetch:
		inner = proposeHost(effect.Subject)
	case agent.EffectMCP:
		inner = proposeTool(effect.Subject)
	case agent.EffectRead, agent.EffectSearch: // the one needs no permission, the other is never asked about
	}
	if inner == "" {
		return nil
	}
	return []string{inner}
}

// proposePath is the folder of a file, with everything below it. A file at the top is
// proposed alone, since the whole folder is more than the question was about. So is a file
// in a hidden folder, which often says what is run.
func proposePath(subject string) string {
	name := path.Clean(subject)
	folder := path.Dir(name)
	switch {
	case name == ".":
		return ""
	case strings.HasPrefix(folder, "."), strings.Contains(folder, "/."):
		return literally(name)
	}
	return literally(folder) + "/**"
}

// literally is a glob that matches only this path.
func literally(name string) string {
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func proposeHost(subject string) string {
	host, ok := hostOf(subject)
	if !ok {
		return ""
	}
	return "host:" + host
}

// proposeTool is one tool of one server. Ambiguous names have none: a__b__c is tool c of
// server a__b, or b__c of server a.
func proposeTool(subject string) string {
	server, tool := toolOf(subject)
	plain := func(name string) bool {
		return name != "" && strings.Trim(name, "_") == name && !strings.Contains(name, "__") &&
			!strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(plainLetters+"_-.", r) })
	}
	if !plain(server) || !plain(tool) {
		return ""
	}
	return server + "__" + tool
}

const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
