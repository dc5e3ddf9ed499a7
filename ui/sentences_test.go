package ui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/terminal"
)

// typingPlace is one where somebody begins to type.
type typingPlace struct {
	name string
	play func(*screen)
	// field is what is typed there where that is no composer; nil: the composer.
	field func(*screen) string
	// waits says that an Enter behind the sentence changes nothing: an answer is due first.
	waits bool
}

// typingPlaces are every dialog, every list and every line that can have the focus.
func typingPlaces() []typingPlace {
	pressed := func(before func(*screen), keys ...string) func(*screen) {
		return func(s *screen) { before(s); s.keys(keys...) }
	}
	busy := func(s *screen) { // a foreground subagent, and one of the background, to which something was denied
		refusedSubagent(s)
		s.delegate("audit", false)
	}
	cutOff := func(s *screen) {
		s.worked()
		s.delegate("audit", true)
		s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	}
	shell := func(s *screen) { s.worked(); s.shell("serve", "npm run dev") }
	rest := func(s *screen) {
		s.worked()
		s.delegate("audit", true)
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	}
	stranger := func(s *screen) {
		s.dialog = s.trustDialog(&TrustPrompt{Title: "Do you trust it?", Says: []string{"disk: npx"}, Decide: nil})
	}
	list := func(s *screen) string { return s.picker.Words }
	rules := func(s *screen) {
		s.worked()
		s.commanded()
		s.options.Permissions = func() []approval.Rule { return []approval.Rule{{Text: "allow shell(ls)", Forget: nil}} }
	}
	return []typingPlace{
		{name: "the composer", play: rest},
		{name: "the composer of a busy session", play: busy},
		{name: "a view", play: pressed(rest, "tab")},
		{name: "the view of a command", play: pressed(shell, "tab")},
		{name: "a running line", play: pressed(busy, "down")},
		{name: "a line with denials", play: pressed(busy, "down", "down", "down")},
		{name: "a line that was cut off", play: pressed(cutOff, "down")},
		{name: "a line of a command", play: pressed(shell, "down")},
		{name: "an overdue line", play: pressed(overdueCard, "down")},
		{name: "a line that was armed", play: pressed(busy, "down", "esc")},
		{name: "a message that waits", play: pressed(waitingMessages, "up", "up")},
		{name: "a block", play: pressed(rest, "ctrl+up")},
		{name: "the help", play: pressed(rest, "?")},
		{name: "the dashboard", play: pressed(busy, "ctrl+t", "down")},
		{name: "the dashboard's filter", play: pressed(busy, "ctrl+t", "/"), field: func(s *screen) string { return s.dashboard.Filter }},
		{name: "what was denied", play: pressed(busy, "down", "down", "down", "g")},
		{name: "a grant that was armed", play: pressed(busy, "down", "down", "down", "g", "g")},
		{name: "always, of what was denied", play: pressed(busy, "down", "down", "down", "g", "p")},
		{name: "a question", play: threeAsk},
		{name: "the next question", play: pressed(threeAsk, "tab")},
		{name: "a question with another mark", play: pressed(threeAsk, "right", "right")},
		{name: "a question with an armed yes", play: pressed(threeAsk, "s")},
		{name: "always", play: pressed(threeAsk, "p")},
		{name: "a no with words", play: pressed(threeAsk, "r"), field: func(s *screen) string { return s.asking.reason.Text }},
		{name: "the quit dialog", play: pressed(rest, "ctrl+c", "ctrl+c")},
		{name: "the quit dialog with another mark", play: pressed(rest, "ctrl+c", "ctrl+c", "down")},
		{name: "stop all", play: pressed(rest, "ctrl+x")},
		{name: "stop all with another mark", play: pressed(busy, "ctrl+x", "up")},
		{name: "bypass", play: func(s *screen) {
			rest(s)
			s.options.Commands.Modes = []Mode{{Name: "bypass"}}
			s.options.Commands.SetMode = func(string) error { panic("the mode was set") }
			s.carryOut(s.enterMode("bypass"))
		}},
		{name: "forgetting a rule", play: func(s *screen) { rest(s); s.carryOut(s.askForget(approval.Rule{Text: "allow shell(ls)"})) }},
		{name: "a stranger", play: stranger, waits: true},
		{name: "a stranger with another mark", play: pressed(stranger, "up"), waits: true},
		{name: "the palette", play: pressed(rest, "ctrl+p"), field: list},
		{name: "the permissions", play: func(s *screen) { rules(s); s.sent("/permissions") }, field: list},
		{name: "the search", play: pressed(rest, "ctrl+f"), field: func(s *screen) string { return s.search.line.Text }},
		{name: "earlier prompts", play: func(s *screen) {
			rest(s)
			s.line().History = []string{"an earlier one"}
			s.keys("ctrl+r")
		}, field: func(s *screen) string { return s.recalling.Words.Text }},
	}
}

// words begin with every key that is an action somewhere.
var spoken = strings.Fields(`yes no always session permanent run stop stay leave quit wait x-ray go grant back make resume
	send delete edit kill jump help look why not please fix 2 3 tests fail 1 of them and add a README, remove the old
	one; New York! N/A ?? (see above) "quoted" don't Y Japan = + - 漢字 über`)

// sentence is some words as somebody may write them.
func sentence(r *rand.Rand) string {
	var words []string
	for range 2 + r.IntN(6) {
		words = append(words, spoken[r.IntN(len(spoken))])
	}
	return strings.Join(words, " ")
}

// writes types a text as a person does, with the clock going on: a word begins quickly,
// and later they may pause. between is done once, somewhere in the middle.
func (s *screen) writes(r *rand.Rand, text string, between func()) {
	letters := []rune(text)
	at := 1 + r.IntN(len(letters)-1)
	for i, letter := range letters {
		if i == at {
			between()
		}
		s.send(tea.KeyPressMsg{Code: letter, Text: string(letter)})
		gap := 20*time.Millisecond + time.Duration(r.Int64N(int64(heldFor-21*time.Millisecond)))
		if i > 0 && r.IntN(12) == 0 {
			gap = time.Duration(r.Int64N(int64(4 * time.Second)))
		}
		s.idleFor(gap)
	}
}

// idleFor lets time go by in which nobody presses a key.
func (s *screen) idleFor(d time.Duration) {
	if d >= heldFor {
		s.send(heldDue{s.holds})
	}
	s.now = s.now.Add(d)
	s.send(terminal.Tick(s.now))
}

// For an hour, somebody types sentences wherever the focus happens to be, while questions
// come up in the middle of them.
func TestWhatIsTypedIsNeverLostAndNeverActs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	all := typingPlaces()
	typed, letters := time.Duration(0), 0
	for n := 0; typed < time.Hour; n++ {
		place := all[n%len(all)]
		s := newScreen(t, 40+r.IntN(90), 8+r.IntN(40))
		place.play(s)
		s.idleFor(time.Duration(r.Int64N(int64(6 * time.Second))))
		s.route.taken()
		before, text := s.now, sentence(r)
		s.writes(r, text, func() {
			if live := s.runs.Live(); r.IntN(3) == 0 && place.field == nil && len(live) > 0 {
				s.log(live[0].Session, live[0].ID, lifecycle.PermissionAsked{Question: lifecycle.Question{
					ID: "new", Session: live[0].Session, Run: live[0].ID, Tool: "shell", Subject: "rm -rf build", Rules: []string{"shell(rm *)"},
				}})
			}
		})
		where := place.name + ": " + text
		got := s.line().Text
		if place.field != nil {
			got = place.field(s)
		}
		require.Equal(t, text, got, where)
		require.Empty(t, s.route.taken(), where)
		require.False(t, s.quit || s.leaving, where)
		if place.field == nil {
			s.sentence(r, text, place.waits, where)
		}
		typed += s.now.Sub(before)
		letters += len([]rune(text))
	}
	t.Logf("%d letters in %s", letters, typed.Round(time.Second))
}

// sentence ends one by Enter: it is sent, and that is all.
func (s *screen) sentence(r *rand.Rand, text string, waits bool, where string) {
	s.idleFor(time.Duration(r.Int64N(int64(time.Second))))
	s.send(key("enter"))
	s.idleFor(settled)
	taken := s.route.taken()
	require.False(s.t, s.quit, where)
	if waits {
		require.Empty(s.t, taken, where)
		require.Equal(s.t, text, s.line().Text, where)
		return
	}
	require.Len(s.t, taken, 1, where)
	sent, is := taken[0].(lifecycle.Send)
	require.True(s.t, is, where)
	require.Equal(s.t, text, sent.Text, where)
}

// A paste acts nowhere, whatever it begins with.
func TestAPasteNeverActs(t *testing.T) {
	for _, place := range typingPlaces() {
		for _, text := range []string{"y", "x", "xx", "s", "1", "g and some more"} {
			s := newScreen(t, 100, 40)
			place.play(s)
			s.idleFor(6 * time.Second)
			s.route.taken()
			s.send(tea.PasteMsg{Content: text})
			s.idleFor(settled)
			got := s.line().Text
			if place.field != nil {
				got = place.field(s)
			}
			require.Equal(t, text, got, place.name)
			require.Empty(t, s.route.taken(), place.name)
			require.False(t, s.quit, place.name)
		}
	}
}

// Who means one choice and writes its name does not get another.
func TestNoChoiceBeginsWithTheKeyOfAnother(t *testing.T) {
	for _, place := range typingPlaces() {
		s := newScreen(t, 120, 40)
		place.play(s)
		var keys []string
		var words []string
		switch s.at() {
		case atDialog:
			require.Nil(t, s.dialog.Choices[s.dialog.Safe()].Do, place.name)
			if !strings.Contains(place.name, "another mark") {
				require.Equal(t, s.dialog.Safe(), s.dialog.At, "%s: the mark is on what changes nothing", place.name)
			}
			for _, c := range s.dialog.Choices {
				keys, words = append(keys, string(c.Key)), append(words, string(c.Label))
			}
		case atQuestion:
			q, _, _ := s.front()
			for _, reply := range approval.Answers(q) {
				keys, words = append(keys, reply.Key), append(words, string(reply.Words))
			}
		}
		for i, key := range keys {
			for j, word := range words {
				require.False(t, i != j && strings.HasPrefix(strings.ToLower(word), key), "%s: %q begins with the key %s of %q", place.name, word, key, words[i])
			}
		}
	}
}
