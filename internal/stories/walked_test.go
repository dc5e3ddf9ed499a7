package stories

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A deny rule is not walked past where bash expands a text again, by a runner or by fed
// text, in the mode that asks nothing else; and a star stands for no option that runs.
func TestADenyRuleIsNotWalkedPastAndAStarCoversNoOptionThatRuns(t *testing.T) {
	t.Parallel()
	dodges := []string{
		`x='$(rm kept.txt)'; echo "${x@P}"`, `PS4='$(rm kept.txt)'; set -x; true`, `[[ 'a[$(rm kept.txt)]' -eq 0 ]]`, `compgen -W '$(rm kept.txt)'`, "hash -p /bin/rm other; other kept.txt",
		`env -S 'rm\_kept.txt'`, "linux64 rm kept.txt", "wibble rm kept.txt", "printf '1e rm kept.txt\\n' | sed -f - /dev/null", "make -s -f - <<< 'all: ; rm kept.txt'", "echo 'rm kept.txt' > f; sh f",
	}
	starred := []string{"wibble --exec=x", "g++ -wrapper touch,made a.c", "curl --expand-output x https://127.0.0.1"}
	asked := func(lines []string) modeltest.Reply {
		var calls []modeltest.Call
		for _, line := range lines {
			calls = append(calls, modeltest.Use("shell", modeltest.Object{"command": line}))
		}
		return modeltest.Do(calls...)
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("shell"):
			return modeltest.Say("Done.")
		case h.Asked("stars"):
			return asked(starred)
		}
		return asked(append(dodges, "echo fine && [ -f kept.txt ]"))
	})
	require.NoError(t, os.WriteFile(s.Dir+"/kept.txt", nil, 0o600))
	s.Configured(t, "[permissions]\ndeny = [\"shell(rm *)\"]\nallow = [\"shell(wibble *)\", \"shell(g++ *)\", \"shell(curl *)\"]\n")
	_, errs, code := s.Prompted(t, "-p", "--permission-mode", "bypass", "dodge")
	require.Equal(t, 0, code, errs)
	require.FileExists(t, s.Dir+"/kept.txt")
	results := s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")
	require.Len(t, results, len(dodges)+1)
	for i, line := range dodges {
		require.NotContains(t, results[i], "exit code", line)
		require.Contains(t, strings.ToLower(results[i]), "denie", line)
	}
	require.Contains(t, results[len(dodges)], "fine")

	_, errs, code = s.Prompted(t, "-p", "stars")
	require.Equal(t, 0, code, errs)
	for _, h := range s.Server.All(func(h modeltest.Request) bool { return h.Asked("stars") && h.Answered("shell") }) {
		for i, result := range h.ResultsOf("shell") {
			require.NotContains(t, result, "exit code", starred[i])
		}
	}
}
