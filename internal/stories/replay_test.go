package stories

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// taped is a session of two subagents that ended, exported to a file; the stage has
// another home from then on, in which Pawl has never been.
func taped(t *testing.T) (s *harness.Stage, session, file string) {
	s = harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("Found it.")
		case h.Answered("agent"):
			return modeltest.Say("That is all.")
		}
		return modeltest.Do(modeltest.Delegate("a look", "look at it"), modeltest.Delegate("a second look", "look again")).Saying("I send two.")
	})
	r, errs, code := s.Prompted(t, "-p", "send two")
	require.Equal(t, 0, code, errs)
	file = filepath.Join(s.Dir, "tape.json")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "-o", file)
	require.Equal(t, 0, code, errs)
	return s, r.Session, file
}

// stageOf is what a screen of a recording shows above its own line.
func stageOf(screen string) string {
	above, _, _ := strings.Cut(screen, "\n── 2 subagents") // the rule, with its sums
	return above
}

func TestAnExportedSessionIsOpenedAndPlayedOnTheScreen(t *testing.T) {
	t.Parallel()
	s, _, file := taped(t)
	asked := len(s.Server.All(func(modeltest.Request) bool { return true }))
	home := t.TempDir()
	s.With("PAWL_HOME=" + home)

	x := harness.Start(t, s.Dir, s.Env, "import", file)
	x.See("That is all.", "read only", "recording · ", "tape.json", "? keys  q quit")
	var end string
	x.WaitFor("the line of both subagents, which is drawn last", func(screen string) bool {
		end = stageOf(screen)
		return regexp.MustCompile(`(?s)That is all\..*\n  ✓ 2 completed +a look, a second look`).MatchString(end) && end != screen
	})
	x.Type("x")
	x.See("this is a recording")
	for _, back := range []string{harness.KeyEsc, harness.KeyCtrlC} {
		x.Type(harness.KeyUp, harness.KeyDown)
		x.See("enter open  esc back")
		x.Type(back)
		x.See("? keys  q quit")
	}
	x.Type(harness.KeyTab)
	x.See("look at it", "← back")
	x.Type(harness.KeyEsc)
	x.See("? keys  q quit", "That is all.")
	x.Type("/")
	x.See("Do ›", "/cost")
	x.Type(harness.KeyEsc)
	x.SeeNot("Do ›") // the last line is there before it: an Esc and a q in one read are another key
	x.Type("q")
	require.Equal(t, 0, x.Wait())

	x = harness.Start(t, s.Dir, s.Env, "replay", file, "--speed", "0.25x")
	x.See("recording · ", "tape.json")
	x.Type(",") // the session was short: it may be over
	x.See("0.25x held")
	x.Type("0")
	x.See("record 0 of")
	x.Type(".")
	x.See("record 1 of", "send two")
	x.Type(harness.KeyRight)
	x.See("record 2 of")
	x.Type(",")
	x.See("record 1 of")
	x.Type("n")
	x.See("Found it.", "held")
	x.Type("+", ">", "=")
	x.See("2x held")
	x.Type("-", "<")
	x.See("0.5x held")
	x.Type("\x1b[F")
	x.See("the end")
	x.WaitFor("what the import shows", func(screen string) bool { return stageOf(screen) == end })
	x.Type("N")
	x.See("0.5x held", "Found it.")
	x.Type(harness.KeyHome)
	x.See("record 0 of")
	x.Type(" ")
	x.See("the end", "That is all.")
	x.Type(harness.KeyCtrlC)
	require.Equal(t, 0, x.Wait())

	require.NoFileExists(t, filepath.Join(home, "data", "pawl.db"))
	require.Len(t, s.Server.All(func(modeltest.Request) bool { return true }), asked, "no model was called")
}

func TestASessionIsPlayedToItsEndByItself(t *testing.T) {
	t.Parallel()
	s, session, _ := taped(t)
	x := harness.Start(t, s.Dir, s.Env, "replay", session, "--speed", "64x", "--gaps")
	x.See("the end", "That is all.", "space play again")
	x.Type(harness.KeyEsc)
	require.Equal(t, 0, x.Wait())
}

func TestWhatCannotBePlayedIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Nothing() })
	for args, want := range map[string]string{
		"replay gone.json":   "pawl: read gone.json: there is no such file",
		"import ./README.md": "pawl: read ./README.md: line 1",
	} {
		x := harness.Start(t, s.Dir, s.Env, strings.Fields(args)...)
		require.Equal(t, 2, x.Wait(), args)
		x.See(want)
	}
	for args, want := range map[string]string{
		"replay gone.json --speed 0":     "--speed 0: must be a number from 0.25 to 64, like 4x",
		"replay gone.json --speed fast":  "--speed fast: must be a number from 0.25 to 64, like 4x",
		"replay gone.json --speed 1000x": "--speed 1000x",
		"import gone.json":               "pawl: read gone.json: there is no such file",
		"import ./README.md":             "the screen needs a terminal: use pawl show ID, or pawl import FILE --format md, without one",
		"replay 0123":                    "the screen needs a terminal",
	} {
		_, errs, code := harness.Run(t, s.Dir, s.Env, strings.Fields(args)...)
		require.Equal(t, 2, code, args)
		require.Contains(t, errs, want, args)
		require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	}
}

func TestASessionThatAnotherPawlDrivesIsReadOnTheScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	})
	x := s.Open(t)
	x.Prompt("dig to the bottom")
	x.See("I have just begun")
	list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	other := harness.Start(t, s.Dir, s.Env, "import", strings.Fields(list)[0])
	other.See("dig to the bottom", "read only")
	other.Type(harness.KeyEsc)
	require.Equal(t, 0, other.Wait())
	x.See("esc stops")
	x.Crash()
}
