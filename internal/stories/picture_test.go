package stories

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/ui/picturetest"
)

var pictures = flag.String("pictures", "", "write the pictures of the demo's screen into this folder")

// largest is the most bytes of a picture: a page with it is still read at once.
const largest = 400_000

const lookAround = "Look around here, and tell me what you find."

// TestPictures draws the pictures of the README and docs/screen.md: the real binary on the demo, on
// a real checkout, while its subagents work. It runs only when it is asked to.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures FOLDER given")
	}
	require.NoError(t, os.MkdirAll(*pictures, 0o755))
	keep := func(name, picture string) {
		picturetest.RequireSafe(t, picture)
		require.Less(t, len(picture), largest, name)
		require.NoError(t, os.WriteFile(filepath.Join(*pictures, name), []byte(picture), 0o644))
	}
	keep("screen.svg", delegation(t))
	keep("dashboard-dark.svg", dashboard(t, "dark", picturetest.Dark))
	keep("dashboard-light.svg", dashboard(t, "light", picturetest.Light))
}

// Pages may be shown where nobody expects a picture to run anything or to ask anybody.
func TestThePicturesOfThePagesHoldNoScriptAndReferToNothing(t *testing.T) {
	paths, err := filepath.Glob("docs/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		picture, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Less(t, len(picture), largest, path)
		picturetest.RequireSafe(t, string(picture))
	}
}

// demo starts the demo in a checkout.
func demo(t *testing.T, width, height int) *harness.Terminal {
	home := t.TempDir()
	folder := filepath.Join(home, "calc")
	require.NoError(t, os.Rename(gittest.Checkout(t), folder))
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PAWL_HOME=" + t.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
	x := harness.StartSized(t, width, height, folder, env, "demo")
	x.See("DEMO")
	return x
}

// delegation films a prompt, the subagents that it starts, the dashboard and the report.
func delegation(t *testing.T) string {
	r := recorder{Terminal: demo(t, 100, 30), begun: time.Now()}
	for _, letter := range lookAround {
		r.Type(string(letter))
		r.wait += 60 * time.Millisecond // a person's, who is not waited for
		r.until("what was typed", func(string) bool { return true })
	}
	r.until("the prompt", showing(lookAround))
	r.Type(harness.KeyEnter)
	r.until("three subagents at work", func(screen string) bool {
		return strings.Count(screen, "explore") >= 3 && strings.Contains(screen, "grep")
	})
	r.film.Poster()
	r.until("the end of the parent's words", showing("I stop here"))
	r.Type(harness.KeyCtrlT)
	r.until("the end of one of them", ended)
	r.Type(harness.KeyEsc)
	r.until("the end of all of them", func(screen string) bool {
		return strings.Contains(screen, "A script put this together") && !strings.Contains(screen, "esc stops")
	})
	r.Type(harness.KeyCtrlC, harness.KeyCtrlC)
	return r.film.SVG(picturetest.Dark, 4*time.Second)
}

// dashboard draws the dashboard in a theme, when some subagents have ended and some work.
func dashboard(t *testing.T, theme string, on picturetest.Ground) (drawn string) {
	x := demo(t, 120, 36)
	x.Type("/theme "+theme, harness.KeyEnter)
	x.See("theme")
	x.Type(lookAround, harness.KeyEnter)
	x.See("3 subagents", "I stop here")
	x.Type(harness.KeyCtrlT)
	x.WaitFor("the end of one of them", ended)
	x.WithEmulator(func(e *vt.Emulator) { drawn = picturetest.Of(e).SVG(on) })
	return drawn
}

// ended reports whether the dashboard shows that one of the subagents has ended.
func ended(screen string) bool {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, "TODOs") && strings.Contains(line, "✓") {
			return true
		}
	}
	return false
}

func showing(words string) func(string) bool {
	return func(screen string) bool { return strings.Contains(screen, words) }
}

// recorder films a terminal while it is waited for.
type recorder struct {
	*harness.Terminal
	film  picturetest.Film
	begun time.Time
	wait  time.Duration // on top of what passed
}

func (r *recorder) until(what string, there func(string) bool) {
	r.WaitFor(what, func(screen string) bool {
		r.WithEmulator(func(e *vt.Emulator) { r.film.Add(picturetest.Of(e), time.Since(r.begun)+r.wait) })
		return there(screen)
	})
}
