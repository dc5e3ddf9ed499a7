package commands

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/frontmatter"
)

// lay writes files below a folder and gives it.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return folder
}

func load(t *testing.T, w frontmatter.Where) Found {
	t.Helper()
	return Load(Options{Where: w, Reserved: []string{"compact"}, Words: Words{
		CheckModel:  func(string) error { return errors.New("not here") },
		ClaudeModel: func(word string) (string, bool) { return "anthropic/" + word, word == "opus" },
	}})
}

func TestCommandsAreNamedByTheirFilesAndFolders(t *testing.T) {
	top := lay(t, map[string]string{
		".claude/commands/review.md":                "top",
		"app/.pawl/commands/review.md":              "pawl",
		"app/.claude/commands/review.md":            "claude",
		"app/.claude/commands/frontend/test.md":     "---\ndescription: Test it\nargument-hint: [name] [kind]\nmodel: opus\neffort: high\nallowed-tools: Bash(git add:*), Read\n---\nTest $1",
		"app/.claude/commands/frontend/deep/run.md": "# Run\n\nall",
		"app/.claude/commands/compact.md":           "mine",
		"app/.claude/commands/init.md":              "mine",
	})
	config := lay(t, map[string]string{"commands/mine.md": "own", "commands/init.md": "own init", "commands/review.md": "own"})
	found := load(t, frontmatter.Where{Folder: filepath.Join(top, "app"), Top: top, Config: config})
	require.Empty(t, found.Problems)
	used := Used(found.Commands)
	var names []string
	for _, c := range used {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"frontend:deep:run", "frontend:test", "init", "mine", "review"}, names)
	test, _ := Find(used, "frontend:test")
	require.Equal(t, filepath.Join(top, "app", test.Source), test.File)
	test.File = ""
	require.Equal(t, Command{
		Name: "frontend:test", Description: "Test it", Hint: "[name] [kind]", Model: "anthropic/opus", Effort: "high",
		Allowed: []string{"read(*)", "shell(git add *)"}, Body: "Test $1", Source: ".claude/commands/frontend/test.md", Owner: "project",
	}, test)
	review, _ := Find(used, "review")
	require.Equal(t, ".pawl/commands/review.md", review.Source)
	own, _ := Find(used, "init")
	require.Equal(t, "own init", own.Body, "the user's own may replace it, a project's not")
	byLast, ok := Find(used, "run")
	require.True(t, ok)
	require.Equal(t, "Run", byLast.Description, "the first line of the text stands for it")
	require.Contains(t, found.Notes[len(found.Notes)-1].Where, "commands/review.md")
	require.Contains(t, strings.Join(wheres(found), "\n"), "../.claude/commands/review.md: .pawl/commands/review.md is used instead")
	require.Contains(t, strings.Join(wheres(found), "\n"), "/compact is Pawl's own")
}

func wheres(found Found) (lines []string) {
	for _, r := range append(found.Problems, found.Notes...) {
		lines = append(lines, r.String())
	}
	return lines
}

func TestABrokenCommandIsOneLineAndHarmsNoOther(t *testing.T) {
	folder := lay(t, map[string]string{
		".claude/commands/good.md":      "fine",
		".claude/commands/empty.md":     "---\ndescription: x\n---\n",
		".claude/commands/open.md":      "---\ndescription: x\n",
		".claude/commands/binary.md":    "\xff\xfe",
		".claude/commands/large.md":     strings.Repeat("x", frontmatter.MaxFile+1),
		".claude/commands/two words.md": "x",
		".claude/commands/a\u202eb.md":  "x",
	})
	outside := lay(t, map[string]string{"secret.md": "secret"})
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(folder, ".claude/commands/out.md")))
	found := load(t, frontmatter.Where{Folder: folder})
	require.Len(t, found.Commands, 1)
	require.Len(t, found.Problems, 7, wheres(found))
	for _, line := range wheres(found) {
		require.NotContains(t, line, "\n")
		require.NotContains(t, line, "secret\n")
	}
}

func TestKeysOfOtherProgramsAreNoted(t *testing.T) {
	folder := lay(t, map[string]string{
		".pawl/commands/x.md": "---\ndescription: a: b\nargument-hint: [pr] [prio]\nmodel: gpt-9\neffort: huge\nallowed-tools: [Read, Frob, \"Bash(npm run test:*)\", mcp__disk, WebFetch(domain:go.dev), Edit(/src/**)]\ndisable-model-invocation: true\ndescripton: x\n---\nbody",
	})
	found := load(t, frontmatter.Where{Folder: folder})
	require.Empty(t, found.Problems)
	c := found.Commands[0]
	require.Equal(t, "a: b", c.Description)
	require.Equal(t, "[pr] [prio]", c.Hint)
	require.Empty(t, c.Model+c.Effort)
	require.Equal(t, []string{"read(*)", "edit(src/**)", "fetch(host:go.dev)", "mcp(disk__*)", "shell(npm run test *)"}, c.Allowed)
	all := strings.Join(wheres(found), "\n")
	for _, want := range []string{"gpt-9", "huge", "Frob", "disable-model-invocation", `did you mean "description"`} {
		require.Contains(t, all, want)
	}
}

func TestArgumentsAreSplitAsAShellSplitsWords(t *testing.T) {
	for args, want := range map[string][]string{
		"":                           nil,
		"a b":                        {"a", "b"},
		`"a b" c`:                    {"a b", "c"},
		`'a "b"' c\ d`:               {`a "b"`, "c d"},
		`it's fine`:                  {"it's", "fine"},
		`"a \"b\" \\" ''`:            {`a "b" \`, ""},
		"a\n\tb":                     {"a", "b"},
		`key="some value" x`:         {"key=some value", "x"},
		`"open`:                      {`"open`},
		"  spaced   out  ":           {"spaced", "out"},
		`"a` + "\n" + `b" trailing\`: {"a\nb", `trailing\`},
	} {
		require.Equal(t, want, split(args), "%q", args)
	}
}

func TestPlacesOfArgumentsAreFilledOnce(t *testing.T) {
	for _, c := range []struct{ body, args, want string }{
		{"Fix $ARGUMENTS now", "#12 high", "Fix #12 high now"},
		{"PR $1, $2.", `12 "very high"`, "PR 12, very high."},
		{"$2 is missing|$1", "x", "is missing|x"},
		{"costs $100 and $10, \\$1 stays, $0", "x", "costs $100 and $10, $1 stays, $0\n\nARGUMENTS: x"},
		{"first $ARGUMENTS[0], second $ARGUMENTS[1]", "a b", "first a, second b"},
		{"$1", "$2 $ARGUMENTS", "$2"},
		{"no place", "a b", "no place\n\nARGUMENTS: a b"},
		{"no place", "", "no place"},
		{"$1abc ${1}", "x", "xabc ${1}"},
	} {
		got := Expand(Request{Command: Command{Body: c.body}, Args: c.args})
		require.Equal(t, c.want, got.Text, c.body)
	}
}

func TestProgramsRunWhereTheTextNamesThemAndNowhereElse(t *testing.T) {
	var ran []string
	run := func(line string) string { ran = append(ran, line); return "<" + line + " @out>" }
	body := "Status: !`git status`\n(!`git log $1`) and code `x`, wow!`no`\n```!\nfirst\nsecond $1\n```\nargs $ARGUMENTS @docs/a.md"
	got := Expand(Request{Command: Command{Body: body}, Args: "a !`rm -rf x` @b.md", Program: run})
	require.Equal(t, []string{"git status", "git log a", "first\nsecond a"}, ran)
	require.Contains(t, got.Text, "Status: <git status @out>\n(<git log a @out>) and code `x`, wow!`no`")
	require.Contains(t, got.Text, "args a !`rm -rf x` @b.md @docs/a.md")
	require.NotContains(t, got.Names, "@out", "what a program wrote names no files")
	require.Contains(t, got.Names, "@docs/a.md")
	require.Equal(t, []string{"git status", "git log $1", "first\nsecond $1"}, Command{Body: body}.Programs())
	require.Equal(t, "[not run: git status]", Expand(Request{Command: Command{Body: "!`git status`"}}).Text)
}

func TestAMessageIsACommandOnlyWithItsSlashFirst(t *testing.T) {
	for text, want := range map[string][]any{
		"/review 42":         {"review", "42", true},
		"/review":            {"review", "", true},
		"/a:b\n two\nlines ": {"a:b", "two\nlines", true},
		" /review":           {"", "", false},
		"/usr/bin/env x":     {"", "", false},
		"/":                  {"", "", false},
		"review":             {"", "", false},
	} {
		name, args, ok := Parse(text)
		require.Equal(t, want, []any{name, args, ok}, text)
	}
}
