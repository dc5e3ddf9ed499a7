package ui

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// granted is a screen with what is in force outside of it.
func granted(t *testing.T, width int, grants ...lifecycle.StandingGrant) (s *screen, inForce *[]lifecycle.StandingGrant) {
	inForce = &grants
	s = newScreen(t, width, 30, func(o *Options, _ *terminal.Features) {
		o.Grants = func() []lifecycle.StandingGrant { return slices.Clone(*inForce) }
		o.Revoke = func(_ context.Context, g lifecycle.StandingGrant) error {
			at := slices.Index(*inForce, g)
			if at < 0 {
				return errors.New("it is revoked already")
			}
			*inForce = slices.Delete(slices.Clone(*inForce), at, at+1)
			return nil
		}
	})
	s.commanded()
	s.options.Commands.Modes = []Mode{{Name: "default"}}
	s.options.Commands.SetMode = func(string) error { return nil }
	s.ask("go")
	s.delegate("audit", false)
	s.carryOut(s.readGrants())
	return s, inForce
}

var everyCommand = lifecycle.StandingGrant{Session: root, Tool: "shell", All: true}

func TestAWiderYesSaysWhatItCoversAndTakesASecondPress(t *testing.T) {
	for key, row := range map[string]struct {
		scope lifecycle.GrantScope
		says  string
	}{
		"a": {lifecycle.GrantRun, `a again allows every shell command of "audit" until this turn ends`},
		"2": {lifecycle.GrantRun, `2 again allows every shell command of "audit" until this turn ends`},
		"s": {lifecycle.GrantSession, `s again allows every shell command of "audit" until you quit`},
		"3": {lifecycle.GrantSession, `3 again allows every shell command of "audit" until you quit`},
	} {
		s := asked(t)
		s.keys(key)
		require.Empty(t, s.route.taken(), key)
		require.Contains(t, s.text(), row.says)
		s.pass(armedFor)
		require.NotContains(t, s.text(), "again allows")
		s.keys(key)
		require.Empty(t, s.route.taken(), "%s: too late, it arms anew", key)
		s.keys("tab", key)
		s.keys(key)
		want := lifecycle.Answer{Allow: true, Scope: row.scope, By: "person"}
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: want}}, s.route.taken())
	}
	s := asked(t)
	s.keys("a", "s", "enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}}, s.route.taken(), "the second press is of the same answer")
}

func TestDigitsAndEnterAnswerAQuestion(t *testing.T) {
	for _, keys := range [][]string{{"1"}, {"y"}, {"right", "right", "right", "enter"}, {"left", "left", "left", "enter"}} {
		s := asked(t) // once, for the turn, for the session, no, no and why
		s.keys(keys...)
		if keys[0] == "right" { // no, why, once, for the turn
			require.Contains(t, s.text(), "enter again allows every shell command")
			s.keys("left")
			s.keys("enter")
		}
		want := lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "person"}
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: want}}, s.route.taken(), keys)
	}
	for _, key := range []string{"4", "enter"} {
		s := asked(t)
		s.keys(key)
		require.Equal(t, []lifecycle.Command{lifecycle.Resolve{Question: "q1", Answer: lifecycle.Answer{By: "person"}}}, s.route.taken(), "no has the mark")
	}
	s := asked(t)
	s.keys("6")
	require.Equal(t, "6", s.line().Text, "there is no sixth answer")
}

// The second question was not read when the first was answered.
func TestAnAnswerIsNoneToTheQuestionThatComesUnderIt(t *testing.T) {
	s := newScreen(t, 80, 24)
	threeAsk(s)
	s.keys("y")
	settledBy(s, "q1", lifecycle.PermissionGranted{Question: "q1", By: "person"})
	s.route.taken()
	s.keys("enter")
	require.Empty(t, s.route.taken())
	require.Contains(t, s.text(), "pause to answer")
	s.pass(settled)
	require.NotContains(t, s.text(), "pause to answer")
	s.keys("y")
	require.Len(t, s.route.taken(), 1)
}

func TestWhatIsAllowedBeyondACallIsSeenAndRevoked(t *testing.T) {
	exact := lifecycle.StandingGrant{Session: "audit", Tool: "shell", Subject: "touch made.txt"}
	s, inForce := granted(t, 120, everyCommand, exact)
	require.Contains(t, s.text(), "default · all shell commands allowed")
	s.sent("/permissions")
	require.Contains(t, s.text(), "allow every shell command until you quit")
	require.Contains(t, s.text(), `allow shell touch made.txt of "audit" until you quit`)
	require.Contains(t, s.text(), "enter revokes it")
	s.typed("every shell")
	s.keys("enter")
	require.Equal(t, []lifecycle.StandingGrant{exact}, *inForce)
	require.Contains(t, s.text(), "revoked; Pawl asks again: every shell command until you quit")
	require.NotContains(t, s.text(), "commands allowed")
	s.sent("/permissions")
	s.typed("touch made")
	*inForce = nil
	s.keys("enter")
	require.Contains(t, s.text(), "it is revoked already")
}

func TestAGrantThatIsRevokedOnOneScreenIsGoneFromTheOthers(t *testing.T) {
	screens := NewScreens()
	a, inForce := granted(t, 120, everyCommand)
	b, _ := granted(t, 120, everyCommand)
	b.options.Grants = a.options.Grants
	for _, s := range []*screen{a, b} {
		s.seat, _ = screens.set.Join(nil)
		require.Contains(t, s.text(), "all shell commands allowed")
	}
	a.sent("/permissions")
	a.typed("every shell")
	a.keys("enter")
	require.Empty(t, *inForce)
	require.Len(t, b.seat.Bell(), 1, "the other screen is told")
	b.send(newsCame{})
	require.NotContains(t, b.text(), "commands allowed")
}

func TestTheStatusLineFollowsWhatIsInForce(t *testing.T) {
	for _, width := range []int{40, 60, 80} {
		s, _ := granted(t, width, everyCommand)
		require.Regexp(t, "all shell (commands )?allowed", s.text(), width)
	}
	s, inForce := granted(t, 120)
	require.NotContains(t, s.text(), "allowed")
	ofRun := lifecycle.StandingGrant{Session: "audit", Run: "run audit", Tool: "edit", All: true}
	*inForce = []lifecycle.StandingGrant{ofRun}
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q1", Session: "audit", Run: "run audit", Call: "c", Tool: "edit", Subject: "a.txt"}},
		lifecycle.PermissionGranted{Question: "q1", Call: "c", By: "person", Scope: lifecycle.GrantRun})
	require.Contains(t, s.text(), "all edit calls allowed")
	*inForce = append(*inForce, everyCommand)
	s.carryOut(s.readGrants())
	require.Contains(t, s.text(), "2 wide grants")
	*inForce = nil
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	require.NotContains(t, s.text(), "grants")
}
