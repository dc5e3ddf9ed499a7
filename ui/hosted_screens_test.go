package ui

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// memory is a journal that keeps nothing.
type memory struct{}

func (memory) Append(context.Context, []lifecycle.Change) error { return nil }

func (memory) Load(context.Context, lifecycle.SessionID) (lifecycle.Loaded, error) {
	return lifecycle.Loaded{}, nil
}

func (memory) Records(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return nil, nil
}

// shared is a real supervisor with one session, for several screens.
type shared struct {
	*lifecycle.Supervisor
	screens *Screens

	mu     sync.Mutex
	drafts map[lifecycle.SessionID]string // as they are kept
}

// share makes one whose runs ask whether they may do something, and then work until they
// are stopped.
func share(t *testing.T, subject string) *shared {
	s := &shared{screens: NewScreens(), drafts: map[lifecycle.SessionID]string{}}
	s.Supervisor = lifecycle.New(lifecycle.Options{Journal: memory{}, Limits: lifecycle.DefaultLimits(), Attended: true, Work: func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
		if _, err := port.Step(); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		if _, err := port.Ask(ctx, lifecycle.Question{Tool: "shell", Subject: subject}); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		if err := port.Record(nil, lifecycle.Text{Text: "It was answered."}); err != nil {
			return lifecycle.Outcome{Err: err}
		}
		<-ctx.Done()
		return lifecycle.Outcome{Err: context.Cause(ctx)}
	}})
	_, err := s.Open(t.Context(), root, lifecycle.Spec{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background(), lifecycle.CauseQuit)) })
	return s
}

// options are those of one more screen.
func (s *shared) options(t *testing.T) Options {
	snapshot, err := s.Snapshot(root)
	require.NoError(t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := map[lifecycle.SessionID]string{}
	for session, text := range s.drafts {
		kept[session] = text
	}
	return Options{
		Route: s, Snapshot: snapshot, Screens: s.screens, Model: "anthropic/claude", Mode: "default",
		Env: []string{"COLORTERM=truecolor"}, Drafts: kept, SaveDraft: s.keep,
		Commands: Commands{SetMode: func(string) error { return nil }, Modes: []Mode{{Name: "default"}, {Name: "plan"}}},
	}
}

func (s *shared) keep(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drafts[session] = text
	return nil
}

func (s *shared) kept() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drafts[root]
}

func TestWhatOneScreenAnswersOrStopsTheOtherSees(t *testing.T) {
	s := share(t, "make all")
	one, two := sit(t, s.options(t), 100, 30), sit(t, s.options(t), 60, 16)
	one.see("Ask Pawl")
	two.see("Ask Pawl")
	one.press("build it\r")
	one.see("make all")
	two.see("make all")
	two.seeNo("pause to answer")
	two.press("y") // nobody has typed there
	for _, screen := range []*station{one, two} {
		screen.see("It was answered.")
		text := screen.seeNo("make all?")
		require.NotContains(t, text, "✗")
		require.NotContains(t, text, "not found")
	}
	one.press("\x1b")
	one.see("stopped")
	two.see("stopped by you")
}

func TestAMessageThatComesBackIsInTheLineOfWhoSentIt(t *testing.T) {
	s := share(t, "make all")
	one, two := sit(t, s.options(t), 80, 24), sit(t, s.options(t), 80, 24)
	two.see("Ask Pawl")
	one.press("build it\r")
	two.see("make all")
	two.seeNo("pause to answer")
	two.press("y")
	two.see("It was answered.")
	two.press("and test it\r")
	one.see("queued: and test it")
	two.until("it is sent, and its line empty", func(text string) bool {
		return strings.Contains(text, "queued: and test it") && !strings.Contains(text, "› and test it")
	})
	one.press("\x1b")
	two.see("› and test it")
	one.seeNo("queued:")
	require.NotContains(t, one.see("Ask Pawl"), "and test it")
	two.press("!\x1c")
	require.Equal(t, ended{ending: Ending{Detach: true}}, two.ending())
	require.Equal(t, "and test it!", s.kept())
}

func TestEachScreenHasItsOwnSizeLooksFocusAndLine(t *testing.T) {
	s := share(t, "make all")
	dark, light := s.options(t), s.options(t)
	dark.Theme, light.Theme = "dark", "light"
	one, two := sit(t, dark, 100, 30), sit(t, light, 60, 16)
	one.see("Ask Pawl")
	two.see("Ask Pawl")
	one.press("from the first")
	two.press("from the second")
	first, second := one.see("from the first"), two.see("from the second")
	require.NotContains(t, first, "from the second")
	require.NotContains(t, second, "from the first")
	require.Contains(t, strings.Split(first, "\n")[29], "anthropic/claude")
	require.Contains(t, strings.Split(second, "\n")[15], "anthropic/claude")
	drawn := func(s *station) string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.screen.Render()
	}
	const darkWords, lightWords = "38;2;139;145;156", "38;2;90;96;107"
	require.Contains(t, drawn(one), darkWords)
	require.NotContains(t, drawn(one), lightWords)
	require.Contains(t, drawn(two), lightWords)

	one.press("\x10") // the palette
	one.see("Do ›")
	two.press("?")
	require.NotContains(t, two.see("from the second?"), "Do ›")
	one.press("\x1b")
	one.seeNo("Do ›")
	two.press("\x7f")
	two.seeNo("second?")

	one.press("\x1b[Z") // the next mode
	two.see("permission mode, from another screen: plan")

	two.press("\x1c")
	require.Equal(t, ended{ending: Ending{Detach: true}}, two.ending())
	one.press("!")
	one.see("from the first!")
	three := sit(t, s.options(t), 80, 24)
	require.NotContains(t, three.see("› from the second"), "from the first", "that stands in another line")
	one.press("\x1c")
	require.Equal(t, ended{ending: Ending{Detach: true}}, one.ending())
	three.press("\x1c")
	require.Equal(t, ended{ending: Ending{Detach: true}}, three.ending())
	require.Equal(t, "from the first!\nfrom the second", strings.Join(sorted(s.kept()), "\n"))
}

func TestANeverToAStrangersFolderIsOneOnAllScreens(t *testing.T) {
	s, told := share(t, "make all"), make(chan bool, 1)
	options := s.options(t)
	options.TrustPrompt = &TrustPrompt{Title: "Trust it?", Decide: func(_ context.Context, trust bool) error {
		told <- trust
		return nil
	}}
	one, two := sit(t, options, 80, 24), sit(t, options, 80, 24)
	two.see("Trust it?")
	one.see("Trust it?")
	one.press("\x1b[B")
	one.see("› 3 x")
	one.press("\r")
	require.False(t, <-told)
	one.seeNo("Trust it?")
	two.see("answered on another screen")
}

// sorted are the lines of a text, in order.
func sorted(text string) []string {
	lines := strings.Split(text, "\n")
	if len(lines) == 2 && lines[0] > lines[1] {
		lines[0], lines[1] = lines[1], lines[0]
	}
	return lines
}
