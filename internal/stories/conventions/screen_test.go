//go:build unix

package conventions

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func someConventions() map[string]string {
	return map[string]string{
		".claude/commands/review.md":      "---\ndescription: Review a change\nargument-hint: [pr-number]\n---\nReview pull request $1 with @notes.md.",
		".claude/commands/tidy.md":        "Tidy up.",
		".claude/commands/front/check.md": "Check the front.",
		".claude/skills/one/SKILL.md":     skillFile("one"),
		".claude/commands/broken.md":      "---\ndescription: x\n---\n",
		"notes.md":                        "the notes",
	}
}

// A person sees the commands behind a slash, in the palette and in the help, and sends them.
func TestCommandsAreCompletedShownAndSentOnTheScreen(t *testing.T) {
	t.Parallel()
	s := stage(t, someConventions())
	x := harness.Start(t, s.Dir, s.Env, s.Flags("--trust")...)
	x.Ready()
	x.See("not used: command .claude/commands/broken.md: it has no text")
	x.Type("/rev")
	x.See("/review", "[pr-number] · Review a change (.claude/commands/review.md)")
	x.Type(harness.KeyTab)
	x.SeeNot("Review a change")
	x.Type("42")
	x.See("/review 42")
	x.Type(harness.KeyEnter)
	x.See("Done.", "/review 42", "/review  .claude/commands/review.md", "notes.md")
	h := s.Server.Await(t, modeltest.FromParent)
	require.Contains(t, h.Messages[0].Text, "Review pull request 42 with @notes.md.")
	require.Contains(t, h.Messages[0].Text, "the notes")

	x.Prompt("/check")
	require.Contains(t, s.Server.AwaitNth(t, 2, modeltest.FromParent).Messages[2].Text, "Check the front.")
	x.Rest()
	x.Prompt("/one")
	require.Contains(t, s.Server.AwaitNth(t, 3, modeltest.FromParent).Messages[4].Text, "The body of one.")
	x.Rest()
	x.Type(" /tidy", harness.KeyEnter)
	require.Equal(t, " /tidy", s.Server.AwaitNth(t, 4, modeltest.FromParent).Messages[6].Text, "a space before it sends it as it is")
	x.Rest()
	x.Prompt("/unknown")
	x.See("/unknown is not a command")
	x.Type(harness.KeyCtrlC)

	x.Type(harness.KeyCtrlP)
	x.See("Do")
	x.Type("tidy")
	x.See("Tidy up. (.claude/commands/tidy.md)")
	x.Type(harness.KeyEnter)
	require.Contains(t, s.Server.AwaitNth(t, 5, modeltest.FromParent).Messages[8].Text, "Tidy up.")
	x.SeeMatch(`(?s)/tidy +\.claude/commands/tidy\.md.*Done\.`)
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

func TestInitIsACommandOfPawlsOwn(t *testing.T) {
	t.Parallel()
	_, said, _ := told(t, stage(t, nil), "/init mind the tests")
	require.Contains(t, said, "Write an AGENTS.md for this checkout")
	require.Contains(t, said, "mind the tests")
}
