package stories

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// wantsSummary says that the model is asked to sum the conversation up.
func wantsSummary(h modeltest.Request) bool {
	return h.Asked("This conversation is about to be replaced by a summary")
}

// afterSummary says that the conversation begins with a summary.
func afterSummary(h modeltest.Request) bool {
	return len(h.Messages) > 0 && harness.ContainsAll(h.Messages[0].Text, "Pawl wrote this message, not a human.", "# Summary")
}

// A conversation grows too long for its model while a subagent works for it: it
// goes on with a summary that knows of the subagent, is summed up again when a
// person wants that, and is told of the end all the same.
func TestAConversationThatGrewTooLongGoesOnWithASummary(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("The bottom ").Until(release, "is stone.")
		case wantsSummary(h) && h.Asked("keep the names"):
			return modeltest.Say("Names: Add.")
		case wantsSummary(h):
			return modeltest.Say("Goal: an audit of the numbers. " + strings.Repeat("Much was read. ", 40))
		case afterSummary(h) && len(h.Notices()) > 0:
			return modeltest.Say("So it is stone.")
		case afterSummary(h):
			return modeltest.Say("I go on from the summary.")
		case h.Answered("read"):
			return modeltest.Surprised() // it would not have fit
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"), modeltest.Use("read", modeltest.Object{"path": "numbers.txt"}),
			modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": "count them", "state": "active"}}}))
	})
	config := filepath.Join(s.Home, "config", "config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o700))
	require.NoError(t, os.WriteFile(config, []byte(`[models."`+s.Model+`"]`+"\ncontext = 9000\n"), 0o600))
	numbers := strings.Repeat("one two three four five\n", 1500)
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "numbers.txt"), []byte(numbers), 0o600))
	x := s.Open(t)
	x.Prompt("audit the numbers, and never touch calc.go")
	x.See("I go on from the summary.", "earlier messages summarized for the model", "a dig", "The bottom", "% context")

	whole := s.Server.Await(t, func(h modeltest.Request) bool { return wantsSummary(h) })
	child := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))[0]
	require.Equal(t, s.Server.All(modeltest.FromParent)[0].System, whole.System)
	after := s.Server.Await(t, func(h modeltest.Request) bool { return afterSummary(h) })
	require.Len(t, after.Messages, 1, "nothing of what was before is sent any more")
	text := after.Messages[0].Text
	require.NotContains(t, text, "one two three")
	for _, words := range []string{
		"Goal: an audit of the numbers.", "<message>\naudit the numbers, and never touch calc.go\n</message>", "- [active] count them",
		"- running: agent_id " + child.Agent + ", run_id " + child.Run, `"a dig"`, "Do not start it again", "Go on with what is left",
	} {
		require.Contains(t, text, words)
	}

	x.Prompt("/compact keep the names")
	x.See("/compact keep the names")
	x.WaitFor("the second summary", func(screen string) bool { return strings.Count(screen, "summarized for the model") == 2 })
	close(release)
	x.See("So it is stone.")
	told := s.Server.Await(t, func(h modeltest.Request) bool { return afterSummary(h) && len(h.Notices()) > 0 })
	require.Contains(t, told.Messages[0].Text, "Names: Add.")
	require.Contains(t, told.Notices()[0], "The bottom is stone.")
	require.Equal(t, 0, x.Quit())

	story := exportOf(t, s, "")
	for _, words := range []string{"one two three four five", "Goal: an audit", "Names: Add.", "I go on from the summary.", `"compacted"`, `"trigger":"compact"`} {
		require.Contains(t, story, words, "the log keeps everything")
	}
}

// While a summary is written, the line that says so has a bar that moves as its tokens come.
func TestASummaryShowsHowMuchOfItThereIs(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if wantsSummary(h) {
			return modeltest.Say(strings.Repeat("Goal: an audit. ", 50)).Until(release, "That is all.")
		}
		return modeltest.Say(strings.Repeat("I have read another page of it. ", 300))
	})
	x := s.Open(t)
	x.Prompt("read it all")
	x.See("I have read another page of it.")
	x.Prompt("/compact")
	x.WaitFor("the bar", func(screen string) bool {
		return regexp.MustCompile(`summarizing the conversation  ─*━+─+  \d+s · ↓ 200 tok`).MatchString(screen)
	})
	close(release)
	x.See("summarized for the model")
	x.WaitFor("no bar any more", func(screen string) bool { return !strings.Contains(screen, "━") })
	require.Equal(t, 0, x.Quit())
}
