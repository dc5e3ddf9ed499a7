package settings

import (
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/require"
)

func TestASandboxIsAWordOrATable(t *testing.T) {
	for text, want := range map[string]Sandbox{
		"":                       {},
		`sandbox = "strict"`:     {Mode: "strict"},
		`sandbox = {}`:           {},
		"[sandbox]":              {},
		`sandbox.mode = "off"`:   {Mode: "off"},
		`sandbox.write = ["/y"]`: {Write: []string{"/y"}},
		"[sandbox]\nmode = \"auto\"\nwrite = [\"~/x\", \"/y/\"]": {Mode: "auto", Write: []string{"~/x", "/y/"}},
	} {
		s, err := Load(file(t, text), nil)
		require.NoError(t, err, text)
		require.Equal(t, want, s.Sandbox, text)
	}
	s, err := Load(file(t, `sandbox = "off"`), []string{"PAWL_SANDBOX=strict", "PAWL_SANDBOX_WRITE=/a b:~/c"})
	require.NoError(t, err)
	require.Equal(t, Sandbox{Mode: "strict", Write: []string{"/a b", "~/c"}}, s.Sandbox)
	require.Equal(t, []string{"/a b", xdg.Home + "/c"}, s.Sandbox.Paths())
}

func TestASandboxThatMeansNothingIsNamed(t *testing.T) {
	for name, row := range map[string]struct {
		text    string
		environ []string
		wants   []string
	}{
		"a mode that is none":      {`sandbox = "stric"`, nil, []string{"config.toml:1: ", `sandbox "stric"`, `"strict"`}},
		"a mode in the table":      {"[sandbox]\nmode = \"on\"", nil, []string{"config.toml:1: ", `sandbox "on"`, "auto, strict or off"}},
		"no word":                  {"sandbox = false", nil, []string{"config.toml", `sandbox "false"`}},
		"an empty list and a word": {"sandbox = []", nil, []string{"config.toml:1"}},
		"an unknown key":           {"[sandbox]\nwirte = [\"/x\"]", nil, []string{"config.toml:2", `"sandbox.wirte"`, `"sandbox.write"`}},
		"another unknown key":      {"[sandbox]\nmod = \"auto\"", nil, []string{"config.toml:2", `"sandbox.mod"`, `"sandbox.mode"`}},
		"a list that is none":      {"[sandbox]\nwrite = \"/x\"", nil, []string{"config.toml:2"}},
		"a path that is not whole": {"[sandbox]\nwrite = [\"x\"]", nil, []string{"config.toml:2: ", `sandbox.write "x"`, "full path"}},
		"an empty path":            {"[sandbox]\nwrite = [\"\"]", nil, []string{`sandbox.write ""`, "full path"}},
		"everything":               {"[sandbox]\nwrite = [\"/x/..\"]", nil, []string{`"/x/.."`, `sandbox = "off"`}},
		"a variable":               {"", []string{"PAWL_SANDBOX=none"}, []string{"environment", `sandbox "none"`}},
		"a misspelt variable":      {"", []string{"PAWL_SANDBOXES=off"}, []string{`PAWL_SANDBOX"?`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(file(t, row.text), row.environ)
			require.Error(t, err)
			for _, want := range row.wants {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestAProjectOnlyTightensTheSandbox(t *testing.T) {
	users := Sandbox{Mode: "auto", Write: []string{"/x"}}
	for mode, want := range map[string]string{"": "auto", "off": "auto", "auto": "auto", "strict": "strict", "nonsense": "nonsense"} {
		got := users.TightenedBy(Sandbox{Mode: mode, Write: []string{"/"}})
		require.Equal(t, Sandbox{Mode: want, Write: []string{"/x"}}, got, "an unknown mode is no way out: what checks refuse, starts nothing")
	}
	require.Equal(t, "strict", Sandbox{Mode: "strict"}.TightenedBy(Sandbox{Mode: "auto"}).Mode)
	require.Equal(t, "auto", Sandbox{Mode: "off"}.TightenedBy(Sandbox{Mode: "auto"}).Mode)
	require.Empty(t, users.Loosens(Sandbox{Mode: "strict", Write: []string{"/x/"}}))
	require.Equal(t, []string{"sandbox.mode", "sandbox.write"}, users.Loosens(Sandbox{Mode: "off", Write: []string{"/x", "/y"}}))
}
