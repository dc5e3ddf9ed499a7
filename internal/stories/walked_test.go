package stories

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	asked := func(lines []string) reply {
		var calls []call
		for _, line := range lines {
			calls = append(calls, use("shell", object{"command": line}))
		}
		return do(calls...)
	}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.answered("shell"):
			return say("Done.")
		case h.asked("stars"):
			return asked(starred)
		}
		return asked(append(dodges, "echo fine && [ -f kept.txt ]"))
	})
	require.NoError(t, os.WriteFile(s.dir+"/kept.txt", nil, 0o600))
	s.configured(t, "[permissions]\ndeny = [\"shell(rm *)\"]\nallow = [\"shell(wibble *)\", \"shell(g++ *)\", \"shell(curl *)\"]\n")
	_, errs, code := s.prompted(t, "-p", "--permission-mode", "bypass", "dodge")
	require.Equal(t, 0, code, errs)
	require.FileExists(t, s.dir+"/kept.txt")
	results := s.server.await(t, parentTold("shell")).resultsOf("shell")
	require.Len(t, results, len(dodges)+1)
	for i, line := range dodges {
		require.NotContains(t, results[i], "exit code", line)
		require.Contains(t, strings.ToLower(results[i]), "denie", line)
	}
	require.Contains(t, results[len(dodges)], "fine")

	_, errs, code = s.prompted(t, "-p", "stars")
	require.Equal(t, 0, code, errs)
	for _, h := range s.server.all(func(h heard) bool { return h.asked("stars") && h.answered("shell") }) {
		for i, result := range h.resultsOf("shell") {
			require.NotContains(t, result, "exit code", starred[i])
		}
	}
}
