package stories

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a terminal says to a program in it when its window gets and loses the focus.
const (
	focusCame = "\x1b[I"
	focusWent = "\x1b[O"
)

// looksUp has Pawl know whether somebody looks: what is typed behind the report is on
// the screen when the report has been read.
func (x *terminal) looksUp(report, mark string) {
	x.t.Helper()
	x.type_(report, mark)
	x.see(mark)
}

// seeRaw waits until Pawl has written this.
func (x *terminal) seeRaw(text string) {
	x.t.Helper()
	x.waitFor("written "+text, func(string) bool { return strings.Contains(x.raw(), text) })
}

func TestTitleBarAndNotificationFollowTheSessionInATheme(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two)).with("COLORTERM=truecolor", "TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.3", "PAWL_SCREEN_THEME=light")
		x := s.open(t)
		x.seeRaw("\x1b]2;pawl ")
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		x.rest()
		require.Contains(t, x.raw(), "38;2;90;96;107", "grey of the light theme")
		require.NotContains(t, x.raw(), "38;2;139;145;156", "grey of the dark one")
		require.Contains(t, x.raw(), "\x1b]9;4;3", "the progress bar while the parent works")
		require.Contains(t, x.raw(), "\x1b]2;◐ pawl ")

		x.looksUp(focusCame, "I look")
		close(two)
		x.see("second look", "I have heard of an end.")
		x.rest()
		x.looksUp(focusWent, " and away")
		require.NotContains(t, x.raw(), "\x1b]777;", "nobody is called who looks")
		close(one)
		x.seeRaw("\x1b]777;notify;Pawl;first look: completed") // and, if the parent was quick, its answer
		x.rest()
		x.seeRaw("\x1b]2;☑ pawl ")
		x.type_(keyEsc)
		x.seeNot("I look")
		require.Equal(t, 0, x.quit())
		bars := regexp.MustCompile(`\x1b\]9;4;(\d)`).FindAllStringSubmatch(x.raw(), -1)
		require.Equal(t, "0", bars[len(bars)-1][1], "the progress bar is gone")
		require.Greater(t, strings.LastIndex(x.raw(), "\x1b[?2031l"), strings.LastIndex(x.raw(), "\x1b[?2031h"))
	})
}

// sounds are the bells of an output, those apart that end a sequence.
func sounds(raw string) int {
	return strings.Count(regexp.MustCompile(`\x1b\][^\x07\x1b]*(\x07|\x1b\\)`).ReplaceAllString(raw, ""), "\a")
}

func TestWithoutColourOrMotionInAnyTerminalTheBellCalls(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two)).with("NO_COLOR=1", "PAWL_SCREEN_MOTION=reduced")
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has", "●")
		x.rest()
		x.looksUp(focusCame, "I look")
		close(two)
		x.see("second look", "I have heard of an end.")
		x.rest()
		require.Zero(t, sounds(x.raw()))
		x.looksUp(focusWent, " and away")
		close(one)
		x.waitFor("a bell", func(string) bool { return sounds(x.raw()) == 1 })
		x.waitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
		require.NotRegexp(t, `\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])(;[0-9;]*)?m`, x.raw(), "a colour without colour")
		require.NotRegexp(t, "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]", x.raw(), "a sign that turns without motion")
		require.NotContains(t, x.raw(), "\x1b]9;", "a progress bar in a terminal that is not known to have one")
		x.rest() // or Esc stops the parent, and leaves the line
		x.type_(keyEsc)
		x.seeNot("I look")
		require.Equal(t, 0, x.quit())
	})
}
