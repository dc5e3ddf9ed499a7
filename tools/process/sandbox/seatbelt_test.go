package sandbox

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

var update = flag.Bool("update", false, "write the goldens anew")

// The profile cannot be tried here: it is held as text, for each kind of sandbox.
func TestSeatbeltSaysWhatThePolicyDoes(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a \"quoted\" \\ file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	confined := launch.Confinement{
		Landlock: true, Write: []string{"/Users/u/project", "/private/tmp", file}, Freeze: []string{"/Users/u/project/.git/config", "/Users/u/project/.pawl"},
		Pin: []string{"/Users/u/project/.git"},
	}
	strict := confined
	strict.NoNetwork = true
	closed := strict
	closed.Hide = []string{"/Users/u/.ssh", "/Users/u/Library/Keychains"}
	for name, c := range map[string]launch.Confinement{"auto": confined, "strict": strict, "closed": closed, "nothing": {}} {
		text, err := Profile(&c)
		require.NoError(t, err)
		text = strings.ReplaceAll(text, folder, "/FOLDER")
		golden := filepath.Join("testdata", "seatbelt-"+name+".sb")
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(text), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), text, name)
		balanced(t, text)
	}
}

// balanced requires that each form is closed, and that no path ends a string early.
func balanced(t *testing.T, text string) {
	t.Helper()
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		require.GreaterOrEqual(t, depth, 0)
	}
	require.Zero(t, depth)
	require.False(t, quoted)
}

func TestSeatbeltTakesNoNameThatItCannotWrite(t *testing.T) {
	for _, name := range []string{"/a\nb", "/a\x00b", "/a\x7f"} {
		for _, c := range []launch.Confinement{{Landlock: true, Write: []string{name}}, {Freeze: []string{name}}, {Hide: []string{name}}, {Pin: []string{name}}} {
			_, err := Profile(&c)
			require.ErrorContains(t, err, "control character")
		}
	}
	for _, name := range []string{`/a") (allow default) ("`, `/a\`, `/a\"`, "/ä ö", `/(a`} {
		text, err := Profile(&launch.Confinement{Landlock: true, Write: []string{name}})
		require.NoError(t, err)
		balanced(t, text)
		require.Equal(t, 1, strings.Count(strings.NewReplacer(`\"`, "", `(allow default) (`, "").Replace(text), "(allow default)"))
	}
}

func TestSeatbeltRunsTheProgramItself(t *testing.T) {
	require.Equal(t, []string{"sandbox-exec", "-p", "P", "--", "/bin/bash", "-c", "x"}, SeatbeltArguments("P", "/bin/bash", "bash", "-c", "x"))
	require.Equal(t, []string{"sandbox-exec", "-p", "P", "--", "/usr/bin/true"}, SeatbeltArguments("P", "/usr/bin/true"))
}

// What macOS has in the place of Landlock and of mounts: the same policy, but no word without a
// question.
func TestWithSeatbeltThePolicyIsTheSame(t *testing.T) {
	p := Powers{seatbelt: true, Mounts: errNoNamespace, filter: errNoNamespace, why: errNoNamespace}
	for _, s := range []Policy{{}, {Mode: Strict}} {
		require.NoError(t, s.possible(p))
		report := s.Report(p)
		require.True(t, report.Frozen)
		require.True(t, report.Seatbelt)
		require.Empty(t, report.Why)
		c, _, err := s.Confinement(p, t.TempDir(), []string{"HOME=" + t.TempDir()})
		require.NoError(t, err)
		require.True(t, c.Landlock)
		require.Equal(t, s.Mode == Strict, c.NoNetwork)
	}
	require.ErrorContains(t, Policy{}.Whole(p), "was not tried")
	require.ErrorContains(t, Policy{Closed: true}.possible(p), "was not tried")
	require.Contains(t, strings.Join(Policy{}.gaps(p, Report{InForce: true, Frozen: true}), "\n"), "could not try this sandbox on macOS")
}
