package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestAPromptIsItsPartsInTheirOrder(t *testing.T) {
	kind := &Type{Name: "reviewer", Prompt: "Review.", Source: ".pawl/agents/reviewer.md"}
	s := Surroundings{Folder: "/src", Instructions: []Instruction{
		{Source: "~/.config/pawl/AGENTS.md", Text: "own", Own: true},
		{Source: "AGENTS.md", Text: "project"},
		{Source: "docs/x.md", Text: "included", By: "AGENTS.md"},
		{Source: "away.md", Note: "it leads outside"},
	}, Servers: []ServerNote{{By: "disk", Text: "words"}}}
	parts := Prompt(kind, s)
	var names []string
	for _, part := range parts {
		names = append(names, part.Name+", "+part.Source)
	}
	require.Equal(t, []string{
		"base prompt, built in", "type reviewer, .pawl/agents/reviewer.md", "where it works, this folder", "~/.config/pawl/AGENTS.md, your own",
		"AGENTS.md, this project", "docs/x.md, included by AGENTS.md", "away.md, this project", "words of disk, MCP server",
	}, names)
	text := parts.Text()
	at := 0
	for _, piece := range []string{"You are a subagent", "Review.", "folder: /src", "The user's own instructions for all projects", "own", "from AGENTS.md", "project", "included", "> words"} {
		found := strings.Index(text[at:], piece)
		require.GreaterOrEqual(t, found, 0, piece)
		at += found
	}
	require.NotContains(t, text, "away.md")
	require.Equal(t, "it leads outside", parts[6].Note)
}

func TestTheContextIsListedByWhoWroteIt(t *testing.T) {
	spec := func(name string) Tool { return Tool{Spec: ToolSpec{Name: name, Description: strings.Repeat("d", 96)}} }
	kit := Kit{Prompt: SystemPrompt{{Kind: PartBase, Name: "base prompt", Text: strings.Repeat("p", 400)}}, Tools: []Tool{spec("read"), spec("edit"), spec("mcp__disk__look")}}
	parts := ContextOf(kit)
	require.Len(t, parts, 3)
	require.Equal(t, ContextPart{Kind: PartBase, Name: "base prompt", Text: strings.Repeat("p", 400), Tokens: 100}, parts[0])
	require.Equal(t, ContextPart{Kind: PartTools, Name: "2 tools", Source: "built in", Text: "read, edit", Tokens: 50}, parts[1])
	require.Equal(t, "MCP server disk", parts[2].Source)

	text := strings.Repeat("x", 400)
	entries := []lifecycle.Entry{
		{Kind: lifecycle.EntryUser, Body: encode(lifecycle.Said{From: lifecycle.FromUser, Text: text})},
		{Kind: lifecycle.EntrySummary, Body: encode(summaryBody{Text: text})},
		{Kind: lifecycle.EntryUser, Body: encode(lifecycle.Said{From: lifecycle.FromUser, Text: text})},
		assistantEntry("s", "r", "m", StopToolCalls, Message{Parts: []Part{{Call: &Call{ID: "c", Name: "read", Input: json.RawMessage(`{}`)}}}}),
		resultEntry("s", "r", CallResult{Call: "c", Name: "read", Text: text, Instructions: []Instruction{{Source: "web/AGENTS.md", Text: text}}}),
	}
	spoken, err := SpokenIn(entries)
	require.NoError(t, err)
	parts = ConversationOf(spoken)
	got := map[string]int64{}
	for _, part := range parts {
		got[part.Name] = part.Tokens
	}
	require.Equal(t, int64(100), got["1 summary"])
	require.Equal(t, int64(100), got["1 message"], "what a summary stands for has gone")
	require.Equal(t, int64(100), got["web/AGENTS.md"])
	require.InDelta(t, 100, got["1 tool result"], 120)
	require.Contains(t, got, "1 answer")
}

func TestNestedInstructionsAreGivenOnceUntilASummary(t *testing.T) {
	nested := []Instruction{{Source: "web/AGENTS.md", Text: "use tabs", File: "/src/web/AGENTS.md", Size: 8}, {Source: "web/src/AGENTS.md", Note: "it leads outside"}}
	t1 := &activeRun{messages: []Message{Say("go")}}
	first := t1.addNested(Result{Text: "one", Instructions: nested})
	require.Equal(t, []Instruction{{Source: "web/AGENTS.md", Text: "use tabs"}, {Source: "web/src/AGENTS.md", Note: "it leads outside"}}, first.Instructions, "what is kept is what was given")
	require.Empty(t, t1.addNested(Result{Text: "two", Instructions: nested}).Instructions)

	kept := storedResult(Call{ID: "c", Name: "read"}, first)
	entry := resultEntry("s", "r", kept)
	m, err := DecodeEntry(entry)
	require.NoError(t, err)
	resumed := &activeRun{messages: []Message{m}}
	require.Empty(t, resumed.addNested(Result{Instructions: nested}).Instructions, "the transcript holds them")
	resumed.messages, resumed.nested = []Message{Say("a summary")}, nil
	require.Len(t, resumed.addNested(Result{Instructions: nested}).Instructions, 2)

	sent := withNested([]Message{Say("go"), m, Say("more")})
	require.Len(t, sent, 4)
	require.Equal(t, RoleUser, sent[2].Role)
	require.True(t, IsInstructions(sent[2]))
	require.Contains(t, sent[2].Text(), "from web/AGENTS.md\n\nuse tabs")
	require.NotContains(t, sent[2].Text(), "web/src")
	require.Equal(t, "one", sent[1].Parts[0].Result.Text, "a result is the tool's own words")
	require.Equal(t, []lifecycle.InstructionsRead{{Source: "web/AGENTS.md"}, {Source: "web/src/AGENTS.md", Note: "it leads outside", Unread: true}}, namesOf(kept.Instructions))
}
