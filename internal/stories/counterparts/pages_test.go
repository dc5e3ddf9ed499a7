//go:build unix

package counterparts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/browsertest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// TestAxeFindsNothingWrongWithTheExportedPage: light, dark and narrow, everything opened.
func TestAxeFindsNothingWrongWithTheExportedPage(t *testing.T) {
	version := browsertest.RequireAxe(t)
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at it"):
			return modeltest.Say("There is *one* function.")
		case h.Answered("edit"):
			return modeltest.Say(wide)
		case h.Answered("agent"):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}),
				modeltest.Use("edit", modeltest.Object{"path": "calc.go", "edits": []modeltest.Object{{"old": "a + b", "new": "b + a"}}}),
				modeltest.Use("read", modeltest.Object{"path": "nowhere.go"}),
				modeltest.Use("shell", modeltest.Object{"command": "seq 500"}))
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"))
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "look, then change it")
	require.Zero(t, code, errs)
	page := filepath.Join(t.TempDir(), "session.html")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "html", "--output", page)
	require.Zero(t, code, errs)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	opened := filepath.Join(t.TempDir(), "opened.html")
	require.NoError(t, os.WriteFile(opened, []byte(strings.ReplaceAll(string(text), "<details", "<details open")), 0o600))

	c := browsertest.New(t)
	c.Do("Page.setBypassCSP", browsertest.Object{"enabled": true}, nil) // for axe, which the page would not let in
	rules := 0
	for _, path := range []string{page, opened} {
		for _, shown := range []struct {
			scheme string
			width  int
		}{{"light", 1280}, {"dark", 1280}, {"light", 400}} {
			c.Show(shown.scheme, "screen", shown.width)
			c.OpenFile(path)
			kept, found := c.Axe()
			require.Empty(t, found, shown)
			rules += kept
		}
	}
	soaktest.Counterpart(t, "axe-core", version, rules)
}

// TestMandocFindsNothingToWarnOfInTheManual: but for lines longer than 80 characters, which are a matter of style.
func TestMandocFindsNothingToWarnOfInTheManual(t *testing.T) {
	programFor(t, "mandoc", "apt-get install mandoc")
	s := harness.NewStage(t, modeltest.Anthropic(), nil)
	manual, errs, code := harness.Run(t, s.Dir, s.Env, "man")
	require.Zero(t, code, errs)
	manual = strings.Replace(manual, `.TH "PAWL" 1 ""`, `.TH "PAWL" 1 "2026-01-02"`, 1) // the commit's, which the tests' build has not
	path := filepath.Join(t.TempDir(), "pawl.1")
	require.NoError(t, os.WriteFile(path, []byte(manual), 0o600))
	// It ends with 1 where there is something to say.
	said := run(t, "", "", "sh", "-c", `mandoc -T lint -W all "$0" | grep -v 'STYLE: input text line longer' || true`, path)
	require.Empty(t, string(said))
	read := run(t, "", "", "mandoc", "-T", "utf8", path)
	require.Contains(t, string(read), "pawl - A coding agent")
	soaktest.Counterpart(t, "mandoc", packaged(t, "mandoc"), strings.Count(manual, "\n"))
}

// packaged is the version of a program of the system, as its package names it.
func packaged(t *testing.T, name string) string {
	t.Helper()
	version := run(t, "", "", "sh", "-c", `dpkg-query -W -f '${Version}' "$0" 2>/dev/null || echo unknown`, name)
	return strings.TrimSpace(string(version))
}
