package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wantsSummary says that the model is asked to sum the conversation up.
func (h heard) wantsSummary() bool {
	return h.asked("This conversation is about to be replaced by a summary")
}

// afterSummary says that the conversation begins with a summary.
func (h heard) afterSummary() bool {
	return len(h.messages) > 0 && containsAll(h.messages[0].text, "Pawl wrote this message, not a human.", "# Summary")
}

// A conversation grows too long for its model while a subagent works for it: it
// goes on with a summary that knows of the subagent, is summed up again when a
// person wants that, and is told of the end all the same.
func TestAConversationThatGrewTooLongGoesOnWithASummary(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("The bottom ").until(release, "is stone.")
		case h.wantsSummary() && h.asked("keep the names"):
			return say("Names: Add.")
		case h.wantsSummary():
			return say("Goal: an audit of the numbers. " + strings.Repeat("Much was read. ", 40))
		case h.afterSummary() && len(h.notices()) > 0:
			return say("So it is stone.")
		case h.afterSummary():
			return say("I go on from the summary.")
		case h.answered("read"):
			return surprised() // it would not have fit
		}
		return do(launch("a dig", "dig to the bottom"), use("read", object{"path": "numbers.txt"}),
			use("todo", object{"items": []object{{"text": "count them", "state": "active"}}}))
	})
	config := filepath.Join(s.home, "config", "config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o700))
	require.NoError(t, os.WriteFile(config, []byte(`[models."`+s.model+`"]`+"\ncontext = 9000\n"), 0o600))
	numbers := strings.Repeat("one two three four five\n", 1500)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "numbers.txt"), []byte(numbers), 0o600))
	x := s.open(t)
	x.prompt("audit the numbers, and never touch calc.go")
	x.see("I go on from the summary.", "earlier messages summarized for the model", "a dig", "The bottom", "% context")

	whole := s.server.await(t, func(h heard) bool { return h.wantsSummary() })
	child := tellings(t, s.server.await(t, parentTold("agent")))[0]
	require.Equal(t, s.server.all(fromParent)[0].system, whole.system)
	after := s.server.await(t, func(h heard) bool { return h.afterSummary() })
	require.Len(t, after.messages, 1, "nothing of what was before is sent any more")
	text := after.messages[0].text
	require.NotContains(t, text, "one two three")
	for _, words := range []string{
		"Goal: an audit of the numbers.", "<message>\naudit the numbers, and never touch calc.go\n</message>", "- [active] count them",
		"- running: agent_id " + child.Agent + ", run_id " + child.Run, `"a dig"`, "Do not start it again", "Go on with what is left",
	} {
		require.Contains(t, text, words)
	}

	x.prompt("/compact keep the names")
	x.see("/compact keep the names")
	x.waitFor("the second summary", func(screen string) bool { return strings.Count(screen, "summarized for the model") == 2 })
	close(release)
	x.see("So it is stone.")
	told := s.server.await(t, func(h heard) bool { return h.afterSummary() && len(h.notices()) > 0 })
	require.Contains(t, told.messages[0].text, "Names: Add.")
	require.Contains(t, told.notices()[0], "The bottom is stone.")
	require.Equal(t, 0, x.quit())

	story := s.story(t, "")
	for _, words := range []string{"one two three four five", "Goal: an audit", "Names: Add.", "I go on from the summary.", `"compacted"`, `"trigger":"compact"`} {
		require.Contains(t, story, words, "the log keeps everything")
	}
}
