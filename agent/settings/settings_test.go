package settings

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// file writes a settings file and gives its path.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestAVariableGoesBeforeTheFile(t *testing.T) {
	path := file(t, `
model = "anthropic/x"
permission_mode = "plan"
[subagents]
max_background = 3
foreground_warning = "90s"
`)
	s, err := Load(path, []string{"PAWL_MODEL=openai/y", "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=2", "HOME=/root"})
	require.NoError(t, err)
	require.Equal(t, Settings{
		Model: "openai/y", PermissionMode: "plan",
		Subagents: Subagents{MaxBackground: 3, ForegroundWarning: Duration(90 * time.Second), MaxAutoResumes: 2},
		Limits:    Limits{MaxRemote: 100},
	}, s)
	require.Equal(t, lifecycle.Limits{
		Background: 3, Queue: 20, Foreground: 5, Remote: 100, ForegroundWarning: 90 * time.Second, Shells: 10, AutoResumes: 2,
	}, s.Slots())
}

func TestWithoutAFileTheDesignsLimitsHold(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none.toml"), nil)
	require.NoError(t, err)
	require.Equal(t, lifecycle.DefaultLimits(), s.Slots())
	require.Equal(t, Limits{MaxRemote: 100}, s.Limits, "no cost is bounded that nobody bounded")
}

// A chosen 0 is no missing choice: never is what it says.
func TestNoAutoResumesMeansNever(t *testing.T) {
	for name, load := range map[string]func() (Settings, error){
		"in the file":   func() (Settings, error) { return Load(file(t, "[subagents]\nmax_auto_resumes = 0"), nil) },
		"as a variable": func() (Settings, error) { return Load("none", []string{"PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0"}) },
	} {
		s, err := load()
		require.NoError(t, err, name)
		require.Zero(t, s.Slots().AutoResumes, name)
		require.Equal(t, lifecycle.DefaultLimits().Background, s.Slots().Background, name)
	}
}

func TestEverySettingHasItsVariable(t *testing.T) {
	for _, pair := range []string{
		"PAWL_MODEL=m", "PAWL_EFFORT=low", "PAWL_FALLBACK=openai/m", "PAWL_PERMISSION_MODE=plan", "PAWL_SUBAGENTS_MAX_BACKGROUND=1",
		"PAWL_SUBAGENTS_FOREGROUND_WARNING=1s", "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=1",
		"PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask", "PAWL_TOOLS_CONTAINMENT=group", "PAWL_TOOLS_SEARCH=never", "PAWL_TOOLS_DEBUGGABLE=true", "PAWL_SANDBOX=strict", "PAWL_SANDBOX_WRITE=/x", "PAWL_DEMO_PACE=2x",
		"PAWL_LIMITS_MAX_COST=2.5", "PAWL_LIMITS_DAY_MAX_COST=20", "PAWL_LIMITS_MAX_TOKENS=5", "PAWL_LIMITS_RUN_MAX_COST=0.1", "PAWL_LIMITS_RUN_MAX_TOKENS=5", "PAWL_LIMITS_MAX_STEPS=5", "PAWL_FETCH_ALLOW=localhost:8080",
		"PAWL_SCREEN_THEME=light", "PAWL_SCREEN_MOTION=reduced", "PAWL_SCREEN_NOTIFY=off", "PAWL_SCREEN_SPLIT=off", "PAWL_ON_HANGUP=stop",
		"PAWL_PERMISSIONS_SANDBOXED=allow", "PAWL_WORKTREE_BASE=dirty", "PAWL_WORKTREE_SETUP=npm ci",
		"PAWL_UPDATE_ADDRESS=https://mirror.example/pawl",
		"PAWL_LIMITS_MAX_REMOTE=7", "PAWL_REMOTE_NATS=nats://h", "PAWL_REMOTE_CREDS=/x", "PAWL_REMOTE_CA=/x", "PAWL_REMOTE_KEYS=lend", "PAWL_REMOTE_WORKERS=/x",
	} {
		s, err := Load("none", []string{pair})
		require.NoError(t, err, pair)
		require.NotEqual(t, defaults(), s, "%s changes something", pair)
	}
	require.Len(t, keys(), 36)
}

func TestWhatDoesNotFitIsNamed(t *testing.T) {
	for name, row := range map[string]struct {
		text, variable string
		wants          []string
	}{
		"an unknown key":               {text: "modle = \"x\"", wants: []string{"config.toml:1", `"modle"`, `"model"`}},
		"an unknown table":             {text: "\n[subagents]\nmax_backgrond = 3", wants: []string{"config.toml:3", "subagents.max_backgrond", "subagents.max_background"}},
		"broken TOML":                  {text: "model = ", wants: []string{"config.toml:1"}},
		"a wrong type":                 {text: "[subagents]\nmax_background = \"five\"", wants: []string{"config.toml:2"}},
		"a wrong base":                 {text: "[worktree]\nbase = \"dirt\"", wants: []string{"config.toml:2", "worktree.base \"dirt\": must be head or dirty", "\"dirty\""}},
		"a blank setup":                {text: "worktree.setup = \" \"", wants: []string{"config.toml:1", "worktree.setup"}},
		"a wrong span":                 {text: "[subagents]\nforeground_warning = \"soon\"", wants: []string{"soon", "90s or 10m"}},
		"a wrong sandboxed":            {text: "[permissions]\nsandboxed = \"maybe\"", wants: []string{"config.toml:2", "permissions.sandboxed \"maybe\": must be ask or allow"}},
		"an unknown mode":              {text: `permission_mode = "yolo"`, wants: []string{"yolo", "default, accept-edits, plan, bypass"}},
		"an effort that is none":       {text: `effort = "hihg"`, wants: []string{"config.toml:1", `effort "hihg": must be low, medium, high or max`, `"high"`}},
		"an effort by variable":        {variable: "PAWL_EFFORT=xhigh", wants: []string{"environment", "low, medium, high or max"}},
		"a fallback without provider":  {text: `fallback = "gpt-5.5"`, wants: []string{"config.toml:1", `fallback "gpt-5.5": must be PROVIDER/NAME`}},
		"a wrong choice":               {text: "[subagents]\nbackground_permissions = \"maybe\"", wants: []string{"maybe", "deny or ask"}},
		"a wrong containment":          {text: "[tools]\ncontainment = \"jail\"", wants: []string{"tools.containment", "jail", "auto, namespace, subreaper or group"}},
		"too many":                     {text: "[subagents]\nmax_background = 1000", wants: []string{"1000", "1 to 100"}},
		"no background":                {variable: "PAWL_SUBAGENTS_MAX_BACKGROUND=0", wants: []string{"environment", "1 to 100"}},
		"no background either":         {text: "[subagents]\nmax_background = 0", wants: []string{"config.toml", "1 to 100"}},
		"no time at all":               {text: "[subagents]\nforeground_warning = \"0s\"", wants: []string{"config.toml", "90s or 10m"}},
		"a debt":                       {text: "[limits]\nmax_cost = -1", wants: []string{"limits.max_cost", "US dollars"}},
		"no sum":                       {variable: "PAWL_LIMITS_MAX_COST=much", wants: []string{"PAWL_LIMITS_MAX_COST", "much", "US dollars"}},
		"not a number":                 {variable: "PAWL_LIMITS_MAX_COST=NaN", wants: []string{"limits.max_cost", "US dollars"}},
		"tokens owed":                  {variable: "PAWL_LIMITS_MAX_TOKENS=-5", wants: []string{"limits.max_tokens", "0 means no limit"}},
		"a rule that is none":          {text: "[permissions]\nallow = [\n  \"shell(go test *)\",\n  \"shel(ls)\",\n]", wants: []string{"config.toml:4", "column 1", `"shel"`, `"shell"`}},
		"a rule that grants nothing":   {text: "[permissions]\nallow = [\"shell(sudo *)\"]", wants: []string{"config.toml:2", "column 7", "sudo runs what its words say"}},
		"a rule that never matches":    {text: "[permissions]\ndeny = [\"edit(/etc/**)\"]", wants: []string{"config.toml:2", "can never match"}},
		"a question about reading":     {text: "[permissions]\nask = [\"read(x)\"]", wants: []string{"config.toml:2", "never asked about"}},
		"a list of rules that is none": {text: "[permissions]\ndenyd = []", wants: []string{"config.toml:2", "permissions.denyd", `"permissions.deny"`}},
		"an unknown limit":             {text: "[limits]\nmax_costs = 1", wants: []string{"limits.max_costs", "limits.max_cost"}},
		"an unknown variable":          {variable: "PAWL_MODLE=x", wants: []string{"PAWL_MODLE", "PAWL_MODEL"}},
		"a mode by variable":           {variable: "PAWL_PERMISSION_MODE=yolo", wants: []string{"environment", "yolo"}},
		"less than nothing":            {variable: "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=-1", wants: []string{"environment", "-1"}},
		"a span into the past":         {text: "[subagents]\nforeground_warning = \"-2s\"", wants: []string{"config.toml", "-2s"}},
		"a wrong number":               {variable: "PAWL_SUBAGENTS_MAX_BACKGROUND=five", wants: []string{"PAWL_SUBAGENTS_MAX_BACKGROUND", "five"}},
	} {
		t.Run(name, func(t *testing.T) {
			var environ []string
			if row.variable != "" {
				environ = append(environ, row.variable)
			}
			_, err := Load(file(t, row.text), environ)
			var wrong *Error
			require.ErrorAs(t, err, &wrong)
			for _, want := range row.wants {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestAnUnreadableFileIsNoReasonForDefaults(t *testing.T) {
	_, err := Load(t.TempDir(), nil) // a folder
	require.Error(t, err)
}

func TestPawlHomePutsAllFoldersInOnePlace(t *testing.T) {
	t.Setenv("PAWL_HOME", "/somewhere")
	require.NoError(t, CheckHome())
	f := FindFolders()
	require.Equal(t, "/somewhere/data/pawl.db", f.Database())
	require.Equal(t, "/somewhere/config/config.toml", f.ConfigFile())
	require.Equal(t, "/somewhere/state/pawl.log", f.LogFile())
}

func TestAPawlHomeThatIsNoWholePathIsRefused(t *testing.T) {
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	for home, meant := range map[string]string{"x": here + "/x", "./x": here + "/x", ".": here, "~/x": xdg.Home + "/x"} {
		t.Setenv("PAWL_HOME", home)
		err := CheckHome()
		var wrong *Error
		require.ErrorAs(t, err, &wrong, home)
		require.EqualError(t, err, "environment: PAWL_HOME="+home+" is not a full path: write PAWL_HOME="+meant)
	}
}

func TestAValueThatMeansNothingIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"\npermission_mode = \"yolo\"":                             "config.toml:2: permission mode",
		"[subagents]\n\nmax_background = 0":                        "config.toml:3: subagents.max_background",
		"[screen]\ntheme = \"pink\"":                               "config.toml:2: screen.theme",
		"[tools]\ncontainment = \"jail\"":                          "config.toml:2: tools.containment",
		"\n[hooks]\nevent = \"Stop\"":                              "config.toml:2: hook: it has no command",
		"hooks = [{event = \"Stop\", command = \"x\", match = 1}]": "config.toml:1",
	} {
		_, err := Load(file(t, text), nil)
		require.ErrorContains(t, err, want, text)
	}
}
