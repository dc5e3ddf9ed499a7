package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func projectSaying(t *testing.T, text string) *Project {
	t.Helper()
	p, err := ParseProject(ProjectFile, text, "/somewhere")
	require.NoError(t, err)
	return p
}

func linesOf(errs []*Error) []string {
	var lines []string
	for _, err := range errs {
		lines = append(lines, err.Error())
	}
	return lines
}

// What asks less is for the user alone to choose.
func TestNoProjectLetsCommandsRunWithoutAQuestion(t *testing.T) {
	asks, allows := Settings{}, Settings{}
	allows.Permissions.Sandboxed = "allow"
	loose, strict := projectSaying(t, "permissions.sandboxed = \"allow\""), projectSaying(t, "permissions.sandboxed = \"ask\"")
	require.Empty(t, loose.ApplyTo(asks).Permissions.Sandboxed)
	used, unused := loose.Preview(asks)
	require.Empty(t, used)
	require.Len(t, unused, 1)
	require.Contains(t, unused[0].Error(), "less strict")
	require.Equal(t, "allow", loose.ApplyTo(allows).Permissions.Sandboxed, "which it was")
	require.Equal(t, "ask", strict.ApplyTo(allows).Permissions.Sandboxed)
}

func TestAProjectCanOnlyMakePawlStricter(t *testing.T) {
	own, err := Load(file(t, `
permission_mode = "accept-edits"
permissions.deny = ["shell(rm *)"]
[subagents]
max_background = 4
background_permissions = "ask"
[limits]
max_cost = 2.0
max_steps = 10
`), nil)
	require.NoError(t, err)
	p := projectSaying(t, `
model = "openai/small"
effort = "low"
permission_mode = "plan"
permissions.deny = ["read(.env)"]
permissions.ask = ["shell(git push *)"]
[subagents]
max_background = 2
foreground_warning = "30s"
background_permissions = "deny"
[limits]
max_cost = 1.5
day_max_cost = 3
run_max_tokens = 1000
max_remote = 20
`)
	used, unused := p.Preview(own)
	require.Empty(t, unused)
	require.Len(t, used, 12)
	require.Contains(t, used, `permissions.deny = ["read(.env)"]`)
	both := p.ApplyTo(own)
	require.Equal(t, "plan", both.PermissionMode)
	require.Equal(t, "openai/small", both.Model)
	require.Equal(t, "low", both.Effort)
	require.Equal(t, []string{"shell(rm *)", "read(.env)"}, []string{both.Permissions.Deny[0].String(), both.Permissions.Deny[1].String()})
	require.Len(t, both.Permissions.Ask, 1)
	require.Equal(t, Subagents{MaxBackground: 2, ForegroundWarning: Duration(30 * time.Second), MaxAutoResumes: 10, BackgroundPermissions: "deny"}, both.Subagents)
	require.Equal(t, Limits{MaxCost: 1.5, DayMaxCost: 3, RunMaxTokens: 1000, MaxSteps: 10, MaxRemote: 20}, both.Limits)
	require.Len(t, own.Permissions.Deny, 1, "the user's own are as they were")
	strict := projectSaying(t, "sandbox = \"strict\"\n[[hooks]]\nevent = \"PreToolUse\"\nmatch = \"shell\"\ncommand = [\".pawl/check\", \"x y\"]")
	used, unused = strict.Preview(own)
	require.Empty(t, unused)
	require.Equal(t, []string{`sandbox = "strict"`, `hook PreToolUse about shell: [".pawl/check" "x y"]`}, used)
	require.Equal(t, "strict", strict.ApplyTo(own).Sandbox.Mode)
	require.Equal(t, "/somewhere", strict.ApplyTo(own).Programs[0].Folder)
	require.Equal(t, []string{".pawl/check"}, strict.Hooks()[0].Scripts())
	require.True(t, p.HasRule("read(.env)") && p.HasRule("shell(git push *)"))
	require.False(t, p.HasRule("shell(rm *)"), "that one is the user's")
}

func TestAProjectsSetupOfWorktreesIsShownWithWhatItRuns(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, ".pawl"), 0o700))
	p, err := ParseProject(ProjectFile, "worktree = { base = \"dirty\", setup = \"sh .pawl/setup.sh --fast\" }", folder)
	require.NoError(t, err)
	used, unused := p.Preview(defaults())
	require.Empty(t, unused)
	require.Equal(t, []string{`worktree.base = "dirty"`, `worktree.setup = "sh .pawl/setup.sh --fast"`}, used)
	require.Equal(t, Worktree{Base: "dirty", Setup: "sh .pawl/setup.sh --fast"}, p.ApplyTo(defaults()).Worktree)
	_, before := p.Sealed()
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".pawl/setup.sh"), []byte("npm ci"), 0o600))
	_, after := p.Sealed()
	require.NotEqual(t, before, after, "another script is asked about again")
}

func TestWhatWouldLoosenIsNamedAndNotUsed(t *testing.T) {
	own, err := Load(file(t, "[subagents]\nmax_background = 2\n[limits]\nmax_cost = 2.0\nmax_steps = 10"), nil)
	require.NoError(t, err)
	for text, key := range map[string]string{
		"permission_mode = \"bypass\"":                    "permission_mode",
		"permission_mode = \"accept-edits\"":              "permission_mode",
		"[subagents]\nmax_background = 3":                 "subagents.max_background",
		"[limits]\nmax_remote = 101":                      "limits.max_remote",
		"[subagents]\nmax_auto_resumes = 11":              "subagents.max_auto_resumes",
		"[subagents]\nbackground_permissions = \"ask\"":   "subagents.background_permissions",
		"sandbox = \"off\"":                               "sandbox",
		"[sandbox]\nmode = \"off\"":                       "sandbox.mode",
		"[limits]\nmax_cost = 3.0":                        "limits.max_cost",
		"[limits]\nmax_steps = 0":                         "limits.max_steps",
		"limits = { max_steps = 11, max_cost = 1.0 }":     "limits.max_steps",
		"[limits]\nmax_cost = 2.0\n\n\nmax_steps = 10000": "limits.max_steps",
	} {
		p := projectSaying(t, text)
		_, looser := p.Preview(own)
		both := p.ApplyTo(own)
		require.Len(t, looser, 1, text)
		require.Regexp(t, `^\.pawl/config\.toml:\d+: `+key+" = .* would be less strict", looser[0].Error())
		require.Equal(t, own.PermissionMode, both.PermissionMode, text)
		require.Equal(t, own.Subagents, both.Subagents, text)
		require.Equal(t, own.Limits.MaxSteps, both.Limits.MaxSteps, text)
	}
}

func TestWhatIsNotAProjectsToSayIsNamedByItsLineAndNotUsed(t *testing.T) {
	p := projectSaying(t, `permissions.allow = ["shell(*)"]
fetch.allow = ["localhost"]
model = "anthropic/x"
[tools]
containment = "group"
[models."openai-chat/x"]
context = 5
[mcp.evil]
command = ["sh", "-c", "touch /tmp/mark"]
[screen]
theme = "light"
[demo]
pace = "0"
`)
	own, err := Load("none", nil)
	require.NoError(t, err)
	used, unused := p.Preview(own)
	require.Equal(t, []string{
		".pawl/config.toml:13: demo.pace cannot be set by a project",
		".pawl/config.toml:2: fetch.allow cannot be set by a project",
		".pawl/config.toml:8: mcp.evil cannot be set by a project",
		".pawl/config.toml:6: models.openai-chat/x cannot be set by a project",
		".pawl/config.toml:1: permissions.allow cannot be set by a project",
		".pawl/config.toml:11: screen.theme cannot be set by a project",
		".pawl/config.toml:5: tools.containment cannot be set by a project",
	}, linesOf(unused))
	require.Equal(t, []string{`model = "anthropic/x"`}, used)
	both := p.ApplyTo(own)
	own.Model = "anthropic/x"
	require.Equal(t, own, both)
}

func TestABrokenProjectFileIsNamedByItsLine(t *testing.T) {
	for text, wants := range map[string][]string{
		"\npermision_mode = \"plan\"":                   {".pawl/config.toml:2: ", `did you mean "permission_mode"?`},
		"permission_mode = \"plna\"":                    {".pawl/config.toml:1: ", "plan"},
		"model = ":                                      {".pawl/config.toml:1: "},
		"[permissions]\ndeny = [\"shel(*)\"]":           {".pawl/config.toml:2: ", `did you mean "shell"`},
		"[subagents]\nmax_background = 0":               {".pawl/config.toml:2: ", "1 to 100"},
		"[limits]\n\nmax_cost = -1.0":                   {".pawl/config.toml:3: ", "US dollars"},
		"[mcp.x]\nenabled = true":                       {".pawl/config.toml:1: ", "neither a command nor a url"},
		"model = \"x\"\nmodel = \"y\"":                  {".pawl/config.toml"},
		"[[permissions]]\ndeny = []":                    {".pawl/config.toml"},
		"subagents = 5":                                 {".pawl/config.toml:1: "},
		"model = \"\x00\"":                              {".pawl/config.toml"},
		"[limits]\nmax_steps = 99999999999999999999":    {".pawl/config.toml:2: "},
		"[screen]\ntheme = \"drak\"":                    {".pawl/config.toml:2: ", `did you mean "dark"?`},
		"[subagents]\nforeground_warning = \"quickly\"": {".pawl/config.toml:2: ", "not a duration"},
	} {
		_, err := ParseProject(ProjectFile, text, "/somewhere")
		var wrong *Error
		require.ErrorAs(t, err, &wrong, text)
		for _, want := range wants {
			require.ErrorContains(t, err, want)
		}
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestAVariableGoesBeforeTheProjectAndThatBeforeTheFile(t *testing.T) {
	path := file(t, "model = \"own/a\"\n[limits]\nmax_steps = 9")
	p := projectSaying(t, "model = \"theirs/b\"\n[limits]\nmax_steps = 5")
	s, err := Load(path, nil, p)
	require.NoError(t, err)
	require.Equal(t, []any{"theirs/b", 5}, []any{s.Model, s.Limits.MaxSteps})
	s, err = Load(path, []string{"PAWL_MODEL=own/c", "PAWL_LIMITS_MAX_STEPS=7"}, p)
	require.NoError(t, err)
	require.Equal(t, []any{"own/c", 7}, []any{s.Model, s.Limits.MaxSteps})
	s, err = Load(path, nil, p.WithoutModel())
	require.NoError(t, err)
	require.Equal(t, []any{"own/a", 5}, []any{s.Model, s.Limits.MaxSteps})
}

func TestAYesToAProjectsHookIsOneToItsScripts(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, ".pawl"), 0o700))
	write := func(text string) (*Project, string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(folder, ".pawl/check.sh"), []byte(text), 0o600))
		p, err := ParseProject(ProjectFile, `hooks = [{event = "PreToolUse", command = "sh .pawl/check.sh; sh .pawl/none"}]`, folder)
		require.NoError(t, err)
		return p.Sealed()
	}
	first, good := write("exit 0")
	_, again := write("exit 0")
	second, evil := write("rm -rf /")
	require.Equal(t, good, again)
	require.NotEqual(t, good, evil)
	sums := func(p *Project) map[string]string { return p.ApplyTo(Settings{}).Programs[0].Sums }
	require.Equal(t, "", sums(first)[".pawl/none"], "which must not come to be")
	require.NotEmpty(t, sums(first)[".pawl/check.sh"])
	require.NotEqual(t, sums(first), sums(second))
}

// Nobody has said yes to such a folder yet, and Pawl opens in it at once.
func TestAFileThatIsMadeToTakeLongIsReadOrRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a value of a million lines": "model = [" + strings.Repeat("\n", 1<<20-20) + "]\n",
		"a hundred thousand hooks":   strings.Repeat("[[hooks]]\n", 100_000),
		"as many in one list":        "hooks = [" + strings.Repeat("{},", 300_000) + "]\n",
		"as many wrong values":       strings.Repeat("[limits]\nmax_steps = [\n]\n", 1) + strings.Repeat("\n", 1<<19) + "model = [\n]\n",
	} {
		_, err := ParseProject(ProjectFile, text, t.TempDir())
		require.Error(t, err, name)
	}
}
