package stories

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// TestPictures draws the pictures of the README and docs/screen.md: the real binary on a real checkout,
// with the demo or a scripted model, while its subagents work. It runs only when it is asked to.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures FOLDER given")
	}
	require.NoError(t, os.MkdirAll(*pictures, 0o755))
	for name, draw := range map[string]func(*testing.T) string{
		"delegation.svg":      delegation,
		"dashboard-dark.svg":  func(t *testing.T) string { return dashboard(t, "dark", picturetest.Dark) },
		"dashboard-light.svg": func(t *testing.T) string { return dashboard(t, "light", picturetest.Light) },
	} {
		t.Run(name, func(t *testing.T) {
			picture := draw(t)
			picturetest.RequireSafe(t, picture)
			require.Less(t, len(picture), largest)
			require.NoError(t, os.WriteFile(filepath.Join(*pictures, name), []byte(picture), 0o644))
		})
	}
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

// Who reads the README sees a delegation from its prompt to its report, and who wants no motion one frame.
func TestTheFilmOfTheREADMEShowsAWholeDelegation(t *testing.T) {
	film, err := os.ReadFile("docs/delegation.svg")
	require.NoError(t, err)
	for _, words := range []string{"with five reviewers", "5 subagents", "5 work", "2 of 5", "x again stops it", "stopped by you", "delivered", "4 completed", "prefers-reduced-motion"} {
		require.Contains(t, string(film), words)
	}
	lasts := regexp.MustCompile(`animation:([\d.]+)s`).FindSubmatch(film)
	require.NotNil(t, lasts)
	seconds, err := strconv.ParseFloat(string(lasts[1]), 64)
	require.NoError(t, err)
	require.True(t, 15 <= seconds && seconds <= 25, "%v seconds", seconds)
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
