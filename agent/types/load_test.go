package types

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/frontmatter"
	"pawl/lifecycle"
)

// shelf is a config folder and a project's, with files of types in them.
type shelf struct{ config, folder string }

// shelve makes files; names that begin with config/ are the user's.
func shelve(t *testing.T, files map[string]string) shelf {
	t.Helper()
	s := shelf{t.TempDir(), t.TempDir()}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(s.path(name)), 0o700))
		require.NoError(t, os.WriteFile(s.path(name), []byte(text), 0o600))
	}
	return s
}

func (s shelf) path(name string) string {
	if own, ok := strings.CutPrefix(name, "config/"); ok {
		return filepath.Join(s.config, own)
	}
	return filepath.Join(s.folder, name)
}

// load reads them where these tools and models are.
func (s shelf) load() Found {
	return Load(Options{
		Config: s.config, Folder: s.folder,
		Tools:      []string{"read", "write", "edit", "glob", "grep", "list", "shell", "fetch"},
		Delegation: []string{"agent", "task", "agent_send"},
		CheckModel: func(model string) error {
			if !strings.HasPrefix(model, "anthropic/") {
				return errors.New("unknown model " + model)
			}
			return nil
		},
		ClaudeModel: func(word string) (string, bool) { return "anthropic/claude-sonnet", word == "sonnet" },
	})
}

// kind is the type of that name.
func (f Found) kind(t *testing.T, name string) agent.Type {
	t.Helper()
	kind, known := agent.FindType(f.Types, name)
	require.True(t, known, "%s in %+v", name, f)
	return kind
}

const described = "description: looks at things\n"

func TestAFileOfPawlsGivesATypeWithAllThatItSays(t *testing.T) {
	s := shelve(t, map[string]string{".pawl/agents/deep/review.md": "\ufeff---\r\nname: reviewer\r\ndescription: >-\r\n  reads changes\r\n  with care\r\n" +
		"tools: [read, 'mcp__git__*', gl*] # what it needs\r\nmodel: anthropic/x\r\nisolation: remote\r\nlabels: gpu, linux\r\nidempotent: true\r\npermission_mode: plan\r\nmax_steps: 7\r\n---\r\n\r\nBe kind.\r\n\r\nBe exact: ümlaut.\r\n"})
	found := s.load()
	require.Empty(t, found.Problems)
	require.Empty(t, found.Notes)
	require.Equal(t, agent.Type{
		Name: "reviewer", Description: "reads changes with care", Prompt: "Be kind.\n\nBe exact: ümlaut.",
		Tools: []string{"read", "mcp__git__*", "gl*"}, Model: "anthropic/x", Isolation: lifecycle.IsolationRemote, Labels: []string{"gpu", "linux"}, Idempotent: true,
		Mode: "plan", MaxSteps: 7, Source: ".pawl/agents/deep/review.md",
	}, found.kind(t, "reviewer"))
	require.Len(t, found.Types, 4, "the built-in ones are there too")
}

func TestAWordIsAListOfOneAndAMissingNameIsTheFiles(t *testing.T) {
	found := shelve(t, map[string]string{
		".pawl/agents/counter.md": "---\n" + described + "tools: read, grep\nmodel: inherit\n---\n",
		".pawl/agents/idle.md":    "---\n" + described + "tools: []\n---",
		".pawl/agents/all.md":     "---\n" + described + "---\nDo all.",
	}).load()
	require.Empty(t, found.Problems)
	require.Equal(t, []string{"read", "grep"}, found.kind(t, "counter").Tools)
	require.Empty(t, found.kind(t, "counter").Model)
	require.False(t, found.kind(t, "idle").Allows("read"), "no tools are none")
	require.True(t, found.kind(t, "all").Allows("anything"))
}

func TestWhatIsWrongWithAFileIsNamedWithItsLineAndCostsThatFileAlone(t *testing.T) {
	for name, row := range map[string]struct{ text, line, want string }{
		"an unknown key":          {"name: x\n" + described + "modle: x", ":4", `unknown key "modle"; did you mean "model"?`},
		"a key of Claude Code's":  {described + "maxTurns: 3", ":3", `unknown key "maxTurns"`},
		"an unknown tool":         {described + "tools: [read, raed]", ":3", `unknown tool "raed"; did you mean "read"?`},
		"a pattern of none":       {described + "tools: rm*", ":3", `unknown tool "rm*"`},
		"a tool of a parent":      {described + "tools: agent", ":3", "subagents cannot start subagents"},
		"a tool with a rule":      {described + "tools: shell(git *)", ":3", "is not a tool name"},
		"an unknown model":        {described + "model: opnai/x", ":3", "unknown model opnai/x"},
		"an unknown mode":         {described + "permission_mode: yolo", ":3", "default, accept-edits, plan, bypass"},
		"an unknown isolation":    {described + "isolation: jail", ":3", "none, process, remote or worktree"},
		"six labels":              {described + "labels: a, b, c, d, e, f", ":3", "6 labels (a,b,c,d,e,f): at most 5"},
		"a label of signs":        {described + "labels: gpu*", ":3", `label "gpu*": must have`},
		"half idempotent":         {described + "idempotent: often", ":3", `idempotent "often": must be true or false`},
		"no effort":               {described + "effort: some", ":3", "low, medium, high or max"},
		"no steps":                {described + "max_steps: 0", ":3", "1 or more"},
		"steps in words":          {described + "max_steps: many", ":3", `"many"`},
		"no description":          {"name: x", "", "description is missing"},
		"a blank description":     {"description: '  '", "", "description is missing"},
		"a list for a text":       {"description: [a, b]", ":2", "takes a string"},
		"a name of two lines":     {described + "name: \"a\\u202eb\"", "", "name"},
		"a name without end":      {described + "name: " + strings.Repeat("x", 65), "", "1 to 64"},
		"no value":                {described + "tools:", ":3", "tools has no value"},
		"a mapping":               {described + "tools: {a: b}", ":3", "neither a string nor a list"},
		"a list of lists":         {described + "tools: [[read]]", ":3", "neither a string nor a list"},
		"an anchor":               {described + "name: &n x", ":3", "neither a string nor a list"},
		"an alias":                {described + "model: *n", ":3", "neither a string nor a list"},
		"a merge":                 {described + "<<: {tools: read}", ":3", "not a key"},
		"a key twice":             {described + "name: a\nname: b", ":4", "already defined"},
		"a key that is no word":   {described + "1: x", ":3", `"1" is not a key`},
		"broken YAML":             {described + "tools: [read", ":3", "not valid YAML"},
		"a text with a colon":     {"description: use it: now", ":2", "not valid YAML"},
		"a list of all":           {"- name", ":1", "not a list of keys"},
		"something else entirely": {"just words", ":1", "not a list of keys"},
	} {
		t.Run(name, func(t *testing.T) {
			found := shelve(t, map[string]string{
				".pawl/agents/bad.md":  "---\n" + row.text + "\n---\nbody",
				".pawl/agents/good.md": "---\n" + described + "---\n",
			}).load()
			require.Len(t, found.Problems, 1, found.Problems)
			require.Equal(t, ".pawl/agents/bad.md"+row.line, found.Problems[0].Where)
			require.Contains(t, found.Problems[0].Text, row.want)
			require.NotContains(t, found.Problems[0].String(), "\n")
			require.Len(t, found.Types, 4)
			found.kind(t, "good")
		})
	}
}

func TestEachThingThatIsWrongWithAFileIsTold(t *testing.T) {
	found := shelve(t, map[string]string{".pawl/agents/x.md": "---\nnmae: x\ntools: raed\nmax_steps: -1\n---\n"}).load()
	require.Len(t, found.Problems, 3, found.Problems)
}

func TestAFileThatIsNoTextOfATypeIsRefused(t *testing.T) {
	s := shelve(t, map[string]string{
		".pawl/agents/plain.md":  "# Just a page\n",
		".pawl/agents/open.md":   "---\nname: x\n",
		".pawl/agents/long.md":   "---\n" + described + "---\n" + strings.Repeat("x", frontmatter.MaxFile),
		".pawl/agents/latin.md":  "---\n" + described + "---\nf\xfcnf",
		".pawl/agents/note.txt":  "no Markdown",
		".pawl/agents/secret.md": "---\n" + described + "---\n",
	})
	require.NoError(t, os.Chmod(s.path(".pawl/agents/secret.md"), 0))
	require.NoError(t, syscall.Mkfifo(s.path(".pawl/agents/pipe.md"), 0o600))
	require.NoError(t, os.Mkdir(s.path(".pawl/agents/folder.md"), 0o700))
	texts := map[string]string{}
	for _, p := range s.load().Problems {
		texts[p.Where] = p.Text
	}
	require.Contains(t, texts[".pawl/agents/plain.md:1"], "does not begin with frontmatter")
	require.Contains(t, texts[".pawl/agents/open.md:1"], "is not closed")
	require.Contains(t, texts[".pawl/agents/long.md"], "larger than 64 KiB")
	require.Contains(t, texts[".pawl/agents/latin.md"], "UTF-8")
	require.Contains(t, texts[".pawl/agents/pipe.md"], "not a regular file")
	if os.Getuid() != 0 { // who may read everything
		require.Contains(t, texts[".pawl/agents/secret.md"], "permission denied")
		delete(texts, ".pawl/agents/secret.md")
	}
	require.Len(t, texts, 5, texts)
}

func TestALinkOutOfTheProjectIsNotFollowedAndTheUsersIs(t *testing.T) {
	s := shelve(t, map[string]string{
		"real/inside.md":         "---\n" + described + "---\n",
		".claude/agents/mine.md": "---\n" + described + "---\n",
		"config/agents/own.md":   "---\n" + described + "---\n",
	})
	elsewhere := filepath.Join(t.TempDir(), "outside.md")
	require.NoError(t, os.WriteFile(elsewhere, []byte("---\n"+described+"---\n"), 0o600))
	require.NoError(t, os.MkdirAll(s.path(".pawl/agents"), 0o700))
	require.NoError(t, os.Symlink(elsewhere, s.path(".pawl/agents/outside.md")))
	require.NoError(t, os.Symlink("../../real/inside.md", s.path(".pawl/agents/inside.md")))
	require.NoError(t, os.Symlink(elsewhere, s.path("config/agents/kept.md")))
	found := s.load()
	require.Equal(t, []Remark{{".pawl/agents/outside.md", "it leads outside the folder through a symbolic link"}}, found.Problems)
	for _, name := range []string{"inside", "mine", "own", "kept"} {
		found.kind(t, name)
	}

	require.NoError(t, os.RemoveAll(s.path(".pawl/agents")))
	require.NoError(t, os.Symlink(filepath.Dir(elsewhere), s.path(".pawl/agents")))
	found = s.load()
	require.Equal(t, []Remark{{".pawl/agents", "it leads outside the folder through a symbolic link"}}, found.Problems)
}

func TestFilesWithoutEndAreNotReadWithoutEnd(t *testing.T) {
	s := shelve(t, nil)
	require.NoError(t, os.MkdirAll(s.path(".pawl/agents"), 0o700))
	for i := range frontmatter.MaxFiles + 1 {
		name := s.path(".pawl/agents/" + strings.Repeat("x", i+1) + ".md")
		require.NoError(t, os.WriteFile(name, []byte("---\n"+described+"name: n"+strings.Repeat("y", i%50)+string(rune('a'+i/50))+"\n---\n"), 0o600))
	}
	found := s.load()
	require.Len(t, found.Types, 3+frontmatter.MaxFiles)
	require.Len(t, found.Problems, 1)
	require.Contains(t, found.Problems[0].Text, "the first 200")
}

func TestTheProjectsTypesStandApartWithWhatTheyWereReadFrom(t *testing.T) {
	config, folder := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	names := func(types []agent.Type) (all []string) {
		for _, one := range types {
			all = append(all, one.Name)
		}
		return all
	}
	load := func() Found { return Load(Options{Config: config, Folder: folder, Tools: []string{"read", "edit"}}) }
	write(config, "agents/mine.md", "---\ndescription: mine\ntools: read\n---\nMine.")
	require.Empty(t, load().Project.Content)
	write(folder, ".pawl/agents/mine.md", "---\ndescription: theirs\n---\nTheirs.")
	write(folder, ".claude/agents/other.md", "---\ndescription: other\n---\nOther.")
	before := load()
	require.Equal(t, []string{"general", "explore", "plan", "mine"}, names(before.Own))
	require.Equal(t, "mine", before.Own[3].Description)
	require.Equal(t, before.Own, before.Untrusted().Types)
	require.Equal(t, []string{"mine", "other"}, names(before.Project.Types))
	require.Equal(t, "theirs", before.Types[3].Description)
	require.NotContains(t, before.Project.Content, "Mine.")
	write(folder, ".claude/agents/other.md", "---\ndescription: other\n---\nOther!")
	require.NotEqual(t, before.Project.Content, load().Project.Content)
}
