package stories

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// taped is a session of two subagents that ended, exported to a file; the stage has
// another home from then on, in which Pawl has never been.
func taped(t *testing.T) (s *stage, session, file string) {
	s = set(t, chatProtocol(), func(h heard) reply {
		switch {
		case h.child("look"):
			return say("Found it.")
		case h.answered("agent"):
			return say("That is all.")
		}
		return do(delegate("a look", "look at it"), delegate("a second look", "look again")).saying("I send two.")
	})
	r, errs, code := s.prompted(t, "-p", "send two")
	require.Equal(t, 0, code, errs)
	file = filepath.Join(s.dir, "tape.json")
	_, errs, code = run(t, s.dir, s.env, "export", r.Session, "-o", file)
	require.Equal(t, 0, code, errs)
	return s, r.Session, file
}

// stageOf is what a screen of a recording shows above its own line.
func stageOf(screen string) string {
	above, _, _ := strings.Cut(screen, strings.Repeat("─", 120))
	return above
}

func TestAnExportedSessionIsOpenedAndPlayedOnTheScreen(t *testing.T) {
	t.Parallel()
	s, _, file := taped(t)
	asked := len(s.server.all(func(heard) bool { return true }))
	home := t.TempDir()
	s.with("PAWL_HOME=" + home)

	x := start(t, s.dir, s.env, "import", file)
	x.see("That is all.", "read only", "recording · ", "tape.json", "? keys  q quit")
	var end string
	x.waitFor("the lines of both subagents, which are drawn last", func(screen string) bool {
		end = stageOf(screen)
		return regexp.MustCompile(`(?s)That is all\..*✓ general a look[^\n]* tok\n.*✓ general a second look[^\n]* tok\n`).MatchString(end)
	})
	x.type_("x")
	x.see("this is a recording")
	for _, back := range []string{keyEsc, keyCtrlC} {
		x.type_(keyUp, keyDown)
		x.see("enter open  esc back")
		x.type_(back)
		x.see("? keys  q quit")
	}
	x.type_(keyTab)
	x.see("look at it", "← back")
	x.type_(keyEsc)
	x.see("? keys  q quit", "That is all.")
	x.type_("/")
	x.see("Do ›", "/cost")
	x.type_(keyEsc)
	x.see("? keys  q quit")
	x.type_("q")
	require.Equal(t, 0, x.wait())

	x = start(t, s.dir, s.env, "replay", file, "--speed", "0.25x")
	x.see("recording · ", "tape.json")
	x.type_(",") // the session was short: it may be over
	x.see("0.25x held")
	x.type_("0")
	x.see("record 0 of")
	x.type_(".")
	x.see("record 1 of", "send two")
	x.type_(keyRight)
	x.see("record 2 of")
	x.type_(",")
	x.see("record 1 of")
	x.type_("n")
	x.see("Found it.", "held")
	x.type_("+", ">", "=")
	x.see("2x held")
	x.type_("-", "<")
	x.see("0.5x held")
	x.type_("\x1b[F")
	x.see("the end")
	x.waitFor("what the import shows", func(screen string) bool { return stageOf(screen) == end })
	x.type_("N")
	x.see("0.5x held", "Found it.")
	x.type_(keyHome)
	x.see("record 0 of")
	x.type_(" ")
	x.see("the end", "That is all.")
	x.type_(keyCtrlC)
	require.Equal(t, 0, x.wait())

	require.NoFileExists(t, filepath.Join(home, "data", "pawl.db"))
	require.Len(t, s.server.all(func(heard) bool { return true }), asked, "no model was called")
}

func TestASessionIsPlayedToItsEndByItself(t *testing.T) {
	t.Parallel()
	s, session, _ := taped(t)
	x := start(t, s.dir, s.env, "replay", session, "--speed", "64x", "--gaps")
	x.see("the end", "That is all.", "space play again")
	x.type_(keyEsc)
	require.Equal(t, 0, x.wait())
}

func TestWhatCannotBePlayedIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return nothing() })
	for args, want := range map[string]string{
		"replay gone.json":   "pawl: read gone.json: there is no such file",
		"import ./README.md": "pawl: read ./README.md: line 1",
	} {
		x := start(t, s.dir, s.env, strings.Fields(args)...)
		require.Equal(t, 2, x.wait(), args)
		x.see(want)
	}
	for args, want := range map[string]string{
		"replay gone.json --speed 0":     "--speed 0: must be a number from 0.25 to 64, like 4x",
		"replay gone.json --speed fast":  "--speed fast: must be a number from 0.25 to 64, like 4x",
		"replay gone.json --speed 1000x": "--speed 1000x",
		"import gone.json":               "pawl: read gone.json: there is no such file",
		"import ./README.md":             "the screen needs a terminal: use pawl show ID, or pawl import FILE --format md, without one",
		"replay 0123":                    "the screen needs a terminal",
	} {
		_, errs, code := run(t, s.dir, s.env, strings.Fields(args)...)
		require.Equal(t, 2, code, args)
		require.Contains(t, errs, want, args)
		require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	}
}

func TestASessionThatAnotherPawlDrivesIsReadOnTheScreen(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("I have just begun").until(make(chan struct{})) })
	x := s.open(t)
	x.prompt("dig to the bottom")
	x.see("I have just begun")
	list, errs, code := run(t, s.dir, s.env, "sessions")
	require.Equal(t, 0, code, errs)
	other := start(t, s.dir, s.env, "import", strings.Fields(list)[0])
	other.see("dig to the bottom", "read only")
	other.type_(keyEsc)
	require.Equal(t, 0, other.wait())
	x.see("esc stops")
	x.crash()
}
