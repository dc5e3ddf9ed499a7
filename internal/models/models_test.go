package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/lifecycle"
	"pawl/tools/process"
)

func setOf(environ ...string) *Set { return New(environ, nil, 0) }

func TestTheModelIsTheFlagsElseTheSettingsElseTheLastElseTheFirstWithAKey(t *testing.T) {
	const anthropic, openai, gemini, ollama = "ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k", "GEMINI_API_KEY=k", "OLLAMA_HOST=h"
	for name, row := range map[string]struct {
		environ             []string
		flag, setting, last string
		want                string
		named               bool
	}{
		"the flag":                       {[]string{anthropic}, "openai/a", "gemini/b", "ollama/c", "openai/a", true},
		"the setting":                    {[]string{anthropic}, "", "gemini/b", "ollama/c", "gemini/b", true},
		"the last":                       {[]string{anthropic, ollama}, "", "", "ollama/c", "ollama/c", false},
		"the last has no key any more":   {[]string{anthropic}, "", "", "openai/c", "openai/c", false},
		"the demo is not remembered":     {[]string{gemini}, "", "", "demo", "gemini/gemini-2.5-pro", false},
		"a provider that is gone":        {[]string{gemini}, "", "", "elsewhere/c", "gemini/gemini-2.5-pro", false},
		"the first key":                  {[]string{ollama, gemini, openai, anthropic}, "", "", "", "anthropic/claude-sonnet-5-5", false},
		"the second key":                 {[]string{ollama, gemini, openai}, "", "", "", "openai/gpt-5.5", false},
		"an address":                     {[]string{ollama}, "", "", "", "ollama/qwen3", false},
		"a key that is empty is none":    {[]string{"ANTHROPIC_API_KEY=", openai}, "", "", "", "openai/gpt-5.5", false},
		"nothing":                        {nil, "", "", "", "demo", false},
		"nothing, and the last one gone": {nil, "", "", "openai/c", "openai/c", false},
		"the demo, whatever keys":        {[]string{anthropic}, "demo", "gemini/b", "", "demo", true},
	} {
		model, named := setOf(row.environ...).Choose(row.flag, row.setting, row.last)
		require.Equal(t, row.want, model, name)
		require.Equal(t, row.named, named, name)
	}
}

func TestAModelThatIsNoneIsNamedWithTheNearest(t *testing.T) {
	for model, nearest := range map[string]string{
		"antropic/claude": "anthropic/", "gemin/x": "gemini/", "dmo": "demo", "anthropic": "anthropic/", "openai/": "openai/", "/": "",
	} {
		err := setOf().Check(model)
		require.ErrorContains(t, err, model)
		require.ErrorContains(t, err, nearest)
	}
	require.NoError(t, setOf().Check("demo"))
	require.NoError(t, setOf().Check("openai-chat/some/model"))
}

func TestAModelWithoutAKeyNamesItsVariable(t *testing.T) {
	_, _, err := setOf("ANTHROPIC_API_KEY=").Resolve("anthropic/x")
	var failure *lifecycle.Failure
	require.ErrorAs(t, err, &failure)
	require.Equal(t, lifecycle.FailAuth, failure.Kind)
	require.Contains(t, failure.Message, "ANTHROPIC_API_KEY")
}

func TestWhatAKeyOpensWithoutAModelHasAPrice(t *testing.T) {
	for _, maker := range BuiltIn() {
		if maker.Secret {
			known := agent.InfoOf(maker.Name + "/" + maker.Fallback)
			require.True(t, known.Priced(), maker.Fallback)
			require.Positive(t, known.Context, maker.Fallback)
		}
	}
}

func TestAPawlThatPawlStartsReadsItsSettings(t *testing.T) {
	l := process.Launcher{Owner: "run", Environ: func() []string { return []string{"PATH=/usr/bin:/bin"} }}
	done, err := l.Run(t.Context(), l.ShellCommand("env", ""))
	require.NoError(t, err)
	environ := strings.Split(done.Output.Head, "\n")
	require.Contains(t, environ, "PAWL_RUN=run")
	_, err = settings.Load("none", environ)
	require.NoError(t, err)
}
