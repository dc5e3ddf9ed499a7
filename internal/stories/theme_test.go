package stories

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What a terminal says to a program in it when its window gets and loses the focus.
const (
	focusCame = "\x1b[I"
	focusWent = "\x1b[O"
)

// looksUp has Pawl know whether somebody looks: what is typed behind the report is on
// the screen when the report has been read.
func looksUp(x *harness.Terminal, report, mark string) {
	x.T.Helper()
	x.Type(report, mark)
	x.See(mark)
}

func TestTitleBarAndNotificationFollowTheSessionInATheme(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := harness.NewStage(t, p, twoLooks(one, two)).With("COLORTERM=truecolor", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.3", "PAWL_SCREEN_THEME=light")
		x := s.Open(t)
		x.SeeRaw("\x1b]2;pawl ")
		x.Prompt("send two")
		x.See("They are on their way.", "One has", "Two has")
		x.Rest()
		require.Contains(t, x.Raw(), "38;2;90;96;107", "grey of the light theme")
		require.NotContains(t, x.Raw(), "38;2;139;145;156", "grey of the dark one")
		require.Contains(t, x.Raw(), "\x1b]9;4;3", "the progress bar while the parent works")
		require.Contains(t, x.Raw(), "\x1b]2;◐ pawl ")

		looksUp(x, focusCame, "I look")
		close(two)
		x.See("second look", "I have heard of an end.")
		x.Rest()
		looksUp(x, focusWent, " and away")
		require.NotContains(t, x.Raw(), "\x1b]777;", "nobody is called who looks")
		close(one)
		x.SeeRaw("\x1b]777;notify;Pawl;first look: completed") // and, if the parent was quick, its answer
		x.Rest()
		x.SeeRaw("\x1b]2;☑ pawl ")
		x.Type(harness.KeyEsc)
		x.SeeNot("I look")
		require.Equal(t, 0, x.Quit())
		bars := regexp.MustCompile(`\x1b\]9;4;(\d)`).FindAllStringSubmatch(x.Raw(), -1)
		require.Equal(t, "0", bars[len(bars)-1][1], "the progress bar is gone")
		require.Greater(t, strings.LastIndex(x.Raw(), "\x1b[?2031l"), strings.LastIndex(x.Raw(), "\x1b[?2031h"))
	})
}

// sounds are the bells of an output, those apart that end a sequence.
func sounds(raw string) int {
	return strings.Count(regexp.MustCompile(`\x1b\][^\x07\x1b]*(\x07|\x1b\\)`).ReplaceAllString(raw, ""), "\a")
}

func TestWithoutColourOrMotionInAnyTerminalTheBellCalls(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := harness.NewStage(t, p, twoLooks(one, two)).With("NO_COLOR=1", "PAWL_SCREEN_MOTION=reduced")
		x := s.Open(t)
		x.Prompt("send two")
		x.See("They are on their way.", "One has", "Two has", "●")
		x.Rest()
		looksUp(x, focusCame, "I look")
		close(two)
		x.See("second look", "I have heard of an end.")
		x.Rest()
		require.Zero(t, sounds(x.Raw()))
		looksUp(x, focusWent, " and away")
		close(one)
		x.WaitFor("a bell", func(string) bool { return sounds(x.Raw()) == 1 })
		x.WaitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
		require.NotRegexp(t, `\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])(;[0-9;]*)?m`, x.Raw(), "a colour without colour")
		require.NotRegexp(t, "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]", x.Raw(), "a sign that turns without motion")
		require.NotContains(t, x.Raw(), "\x1b]9;", "a progress bar in a terminal that is not known to have one")
		x.Rest() // or Esc stops the parent, and leaves the line
		x.Type(harness.KeyEsc)
		x.SeeNot("I look")
		require.Equal(t, 0, x.Quit())
	})
}
