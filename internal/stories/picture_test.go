package stories

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/ui/picturetest"
)

var picture = flag.String("picture", "", "write a picture of the demo's screen to this file")

// TestPicture draws the README's picture: the real binary on the demo, on a real
// checkout, while its subagents work. It runs only when it is asked to.
func TestPicture(t *testing.T) {
	if *picture == "" {
		t.Skip("no -picture FILE given")
	}
	home := t.TempDir()
	folder := filepath.Join(home, "calc")
	require.NoError(t, os.Rename(gittest.Checkout(t), folder))
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PAWL_HOME=" + t.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
	x := harness.StartSized(t, 100, 30, folder, env, "demo")
	x.See("DEMO")
	x.Type("Look around here, and tell me what you find.", harness.KeyEnter)
	x.WaitFor("three subagents at work", func(screen string) bool {
		return strings.Contains(screen, "TODO") && strings.Count(screen, "explore") >= 3 && strings.Contains(screen, "list")
	})
	require.NoError(t, os.MkdirAll(filepath.Dir(*picture), 0o755))
	require.NoError(t, os.WriteFile(*picture, []byte(svg(x)), 0o644))
	x.Type(harness.KeyCtrlC, harness.KeyCtrlC)
}

// svg draws the screen as a picture.
func svg(x *harness.Terminal) (drawn string) {
	x.WithEmulator(func(e *vt.Emulator) { drawn = picturetest.Of(e).SVG(picturetest.Dark) })
	return drawn
}
