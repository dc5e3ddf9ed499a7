package agent

import (
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Context is what fills the context of a session's model: what its next request would have.
type Context struct {
	Parts []ContextPart
	Model string
	Limit int64 // tokens that the model takes; 0: not known
	// Unknown says that the prompt and the tools are not among Parts, and why; empty: they are.
	Unknown string
}

// ContextPart is one part of it, with its estimated size.
type ContextPart struct {
	Kind   PartKind
	Name   string // in a few words
	Source string // where it comes from, in a few words
	Text   string // the text, or its beginning; empty: there is none to show
	Note   string // what is wrong with its source, in one line
	Tokens int64
}

// The kinds of parts that no system prompt has.
const (
	PartTools   PartKind = "tools"
	PartSaid    PartKind = "said" // by people, a parent's model and Pawl
	PartAnswers PartKind = "answers"
	PartResults PartKind = "results"
	PartNotices PartKind = "notices"
	PartSummary PartKind = "summary"
)

// Spoken is an entry of a transcript as a message.
type Spoken struct {
	Kind lifecycle.EntryKind
	Message
}

// SpokenIn are the entries of a transcript that still stand, from its newest summary on.
func SpokenIn(entries []lifecycle.Entry) ([]Spoken, error) {
	entries, err := Current(entries)
	if err != nil {
		return nil, err
	}
	var all []Spoken
	for _, entry := range entries {
		m, err := DecodeEntry(entry)
		if err != nil {
			return nil, err
		}
		if entry.Kind == lifecycle.EntrySummary {
			all = nil
		}
		all = append(all, Spoken{entry.Kind, m})
	}
	return all, nil
}

// ContextOf lists what a run that begins now with this kit would send first.
func ContextOf(kit Kit) []ContextPart {
	var parts []ContextPart
	for _, p := range kit.Prompt {
		parts = append(parts, ContextPart{Kind: p.Kind, Name: p.Name, Source: p.Source, Text: strings.TrimSpace(p.Text), Note: p.Note, Tokens: tokens(len(p.Text))})
	}
	return append(parts, toolParts(kit.Tools)...)
}

// toolParts are the built-in tools together, and those of each server.
func toolParts(all []Tool) []ContextPart {
	type group struct {
		names []string
		bytes int
	}
	var order []string
	groups := map[string]*group{}
	for _, tool := range all {
		server := serverOf(tool.Spec.Name)
		g := groups[server]
		if g == nil {
			g = new(group)
			groups[server], order = g, append(order, server)
		}
		g.names = append(g.names, tool.Spec.Name)
		g.bytes += len(tool.Spec.Name) + len(tool.Spec.Description) + len(tool.Spec.Schema)
	}
	var parts []ContextPart
	for _, server := range order {
		g := groups[server]
		p := ContextPart{Kind: PartTools, Name: words.Count(len(g.names), "tool"), Source: SourceBuiltin, Text: strings.Join(g.names, ", "), Tokens: tokens(g.bytes)}
		if server != "" {
			p.Source = "MCP server " + server
		}
		parts = append(parts, p)
	}
	return parts
}

// serverOf is the MCP server in the name of a tool; empty for a tool of Pawl's.
func serverOf(tool string) string {
	rest, is := strings.CutPrefix(tool, "mcp__")
	if !is {
		return ""
	}
	server, _, _ := strings.Cut(rest, "__")
	return server
}

// ConversationOf lists what a conversation takes, by who wrote it.
func ConversationOf(all []Spoken) []ContextPart {
	var nested []ContextPart
	count, size := map[PartKind]int{}, map[PartKind]int64{}
	for _, one := range all {
		kind := spokenKind(one.Kind)
		size[kind] += estimate([]Message{one.Message})
		count[kind]++
		for _, part := range one.Parts {
			if part.Result == nil {
				continue
			}
			for _, read := range part.Result.Instructions {
				took := tokens(len(read.Text))
				size[kind] -= took
				nested = append(nested, ContextPart{Kind: PartInstructions, Name: read.Source, Source: "read with a file there", Text: read.Text, Note: read.Note, Tokens: took})
			}
		}
	}
	var parts []ContextPart
	for _, row := range []struct {
		kind       PartKind
		name, from string
	}{
		{PartSummary, "summary", "of the conversation before"},
		{PartSaid, "message", "to the model"},
		{PartNotices, "notification", "of what has ended"},
		{PartAnswers, "answer", "of the model, its calls included"},
		{PartResults, "tool result", "the conversation"},
	} {
		if n := count[row.kind]; n > 0 {
			parts = append(parts, ContextPart{Kind: row.kind, Name: words.Count(n, row.name), Source: row.from, Tokens: max(0, size[row.kind])})
		}
	}
	return append(nested, parts...)
}

func spokenKind(kind lifecycle.EntryKind) PartKind {
	switch kind {
	case lifecycle.EntryAssistant:
		return PartAnswers
	case lifecycle.EntryToolResult:
		return PartResults
	case lifecycle.EntryNotification:
		return PartNotices
	case lifecycle.EntrySummary:
		return PartSummary
	case lifecycle.EntryUser, lifecycle.EntryRewind:
	}
	return PartSaid
}
