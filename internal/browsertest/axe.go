//go:build unix

package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// axeVersion is that of axe-core, which reads pages as assistive programs do. It comes from npm, so that
// only long programmes fetch it.
const axeVersion = "4.14.1"

// RequireAxe skips a test where axe is not wanted or cannot be had, and gives its version.
func RequireAxe(t testing.TB) (version string) {
	t.Helper()
	if !soaktest.Wanted() {
		t.Skip("axe looks at the pages in make soak: it comes from npm")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("axe does not look at the pages: there is no npm here")
	}
	return axeVersion
}

// axe is its script, fetched once a test process.
var axe = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "pawl-axe")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder: the system would sweep it too
	install := exec.Command("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@"+axeVersion)
	if out, err := install.CombinedOutput(); err != nil {
		return string(out), err
	}
	text, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	return string(text), err
})

// Axe is how many of its rules axe finds kept on the page, and what it finds wrong, each with the
// element that it is about. A page that lets no script in is opened after Page.setBypassCSP.
func (c *Chromium) Axe() (kept int, found []string) {
	c.t.Helper()
	script, err := axe()
	require.NoError(c.t, err, script)
	c.Do("Runtime.evaluate", Object{"expression": script}, nil)
	var got struct {
		Kept  int
		Found []string
	}
	c.Ask(`axe.run().then(r => ({Kept: r.passes.length,
		Found: r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.html.slice(0, 150) + " " + n.failureSummary))}))`, &got)
	return got.Kept, got.Found
}
