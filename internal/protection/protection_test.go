package protection

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheScreenNamesTheWeakestOfWhatProtects(t *testing.T) {
	fine := Protection{Means: "auto"}
	for name, row := range map[string]struct {
		guard, launcher, sandbox Protection
		want                     string
	}{
		"nothing":                {fine, fine, fine, ""},
		"no sandbox":             {fine, fine, Protection{Why: "no Landlock"}, "commands run without a sandbox · pawl doctor says what that leaves out"},
		"no sandbox, no more":    {Protection{Why: "x"}, Protection{Why: "x"}, Protection{Why: "x"}, "commands run without a sandbox · pawl doctor says what that leaves out"},
		"a strict one is not":    {fine, fine, Protection{Why: "x", Broken: true}, "no command can be started in a sandbox here · pawl doctor says why"},
		"no namespace":           {fine, Protection{Why: "x"}, fine, "tools run without a process namespace · pawl doctor says what that leaves out"},
		"no guard":               {Protection{Why: "x"}, fine, fine, "Pawl runs without its guard · pawl doctor says what that leaves out"},
		"no programs whatsoever": {fine, Protection{Why: "x", Broken: true}, Protection{Why: "x"}, "tools cannot start programs here · pawl doctor says why"},
	} {
		require.Equal(t, row.want, Weakness(row.guard, row.launcher, row.sandbox, ""), name)
	}
	require.Contains(t, Weakness(fine, fine, fine, "no namespace"), `permissions.sandboxed is "allow"`)
	require.Contains(t, Weakness(fine, fine, Protection{Why: "x"}, "no Landlock"), "without a sandbox", "which is worse")
}
