package types

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASharedFileIsReadByItsOwnWords(t *testing.T) {
	found := shelve(t, map[string]string{".claude/agents/tidy.md": "---\nname: Code Tidier\n" + described +
		"tools: Read, Edit, MultiEdit, Bash, WebSearch, Task, mcp__git__log\ndisallowedTools: Bash(rm *), Write\nmodel: sonnet\npermissionMode: acceptEdits\nmaxTurns: 5\ncolor: green\nskills: [a]\nhooks:\n  Stop: x\n---\nTidy up."}).load()
	require.Empty(t, found.Problems)
	kind := found.kind(t, "Code Tidier")
	require.Equal(t, []string{"edit", "mcp__git__log", "read", "shell"}, kind.Tools)
	require.False(t, kind.Allows("shell"), "a part of it is denied, so all of it is")
	require.True(t, kind.Allows("edit"))
	require.Equal(t, "anthropic/claude-sonnet", kind.Model)
	require.Equal(t, "accept-edits", kind.Mode)
	require.Equal(t, 5, kind.MaxSteps)
	var notes []string
	for _, note := range found.Notes {
		notes = append(notes, note.String())
	}
	const file = ".claude/agents/tidy.md:"
	require.Equal(t, []string{
		file + `4: the tool "WebSearch" is left out: Pawl has no such tool`,
		file + `4: the tool "Task" is left out: Pawl has no such tool`,
		file + `5: it does not get shell at all: to forbid only a part, as in "Bash(rm *)", write a rule in the settings`,
		file + `9: the key "color" has no effect here`,
		file + `11: the key "hooks" has no effect here`,
	}, notes)
}

func TestTheEffortOfASharedFileIsReadByItsOwnWords(t *testing.T) {
	for word, want := range map[string]string{"low": "low", "max": "max", "xhigh": "high", "ultra": "", "high": "high"} {
		found := shelve(t, map[string]string{".claude/agents/x.md": "---\n" + described + "effort: " + word + "\n---\n"}).load()
		require.Empty(t, found.Problems)
		require.Equal(t, want, found.kind(t, "x").Effort, word)
		require.Equal(t, want != word, len(found.Notes) == 1, "%s: %v", word, found.Notes)
	}
}

func TestAModelThatASharedFileNamesIsTakenOnlyWhereItIs(t *testing.T) {
	for word, want := range map[string]string{"inherit": "", "sonnet": "anthropic/claude-sonnet", "opus": "", "anthropic/x": "anthropic/x", "gpt": "", "elsewhere/x": ""} {
		found := shelve(t, map[string]string{".claude/agents/x.md": "---\n" + described + "model: " + word + "\n---\n"}).load()
		require.Empty(t, found.Problems)
		require.Equal(t, want, found.kind(t, "x").Model, word)
		require.Equal(t, want == "" && word != "inherit", len(found.Notes) == 1, "%s: %v", word, found.Notes)
	}
}

// Many shared files hold a description that is no YAML; other programs take it.
func TestASharedFileThatIsNoYAMLIsReadLineByLine(t *testing.T) {
	found := shelve(t, map[string]string{".claude/agents/x.md": "---\nname: \"checker\"\ndescription: Use it when: something is done.\\n<example>Context: tests</example>\n" +
		"tools:\n  - Read\n  - Grep\nmaxTurns: 4\n---\nCheck."}).load()
	require.Empty(t, found.Problems)
	require.Empty(t, found.Notes)
	kind := found.kind(t, "checker")
	require.Contains(t, kind.Description, "Use it when: something")
	require.Equal(t, []string{"grep", "read"}, kind.Tools)
	require.Equal(t, 4, kind.MaxSteps)
	require.Equal(t, "Check.", kind.Prompt)
}

func TestWhatASharedFileSaysWronglyOfItsLimitsIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"maxTurns: 0": "1 or more", "tools:": "no value", "isolation: moon": "none, process, remote or worktree",
		"disallowedTools: {a: b}": "neither", "name: \"\\u0007\"": "name",
	} {
		found := shelve(t, map[string]string{".claude/agents/x.md": "---\n" + described + text + "\n---\n"}).load()
		require.Len(t, found.Problems, 1, text)
		require.Contains(t, found.Problems[0].Text, want)
	}
	found := shelve(t, map[string]string{".claude/agents/README.md": "# Our agents\n"}).load()
	require.Empty(t, found.Problems, "a page among them is none")
	require.Len(t, found.Notes, 1)
}
