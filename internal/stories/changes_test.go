package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What the agent and its subagent changed is looked at, line by line, and what is written on a line
// reaches who wrote it, also after the screen was closed in between.
func TestChangesAreReadAndCommentedOnAndTheirWriterHearsOfIt(t *testing.T) {
	t.Parallel()
	edit := func(path, from, to string) modeltest.Call {
		return modeltest.Use("edit", modeltest.Object{"path": path, "edits": []modeltest.Object{{"old": from, "new": to}}})
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("double it"):
			switch {
			case h.Asked("Comments on your changes"):
				return modeltest.Say("I see.")
			case h.Answered("edit"):
				return modeltest.Say("It is doubled.")
			case h.Answered("read"):
				return modeltest.Do(edit("calc.go", "a + b", "2 * (a + b)"))
			}
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
		case h.Answered("agent"):
			return modeltest.Say("Both are at it.")
		case h.Answered("write"):
			return modeltest.Do(modeltest.Delegate("the doubling", "double it"))
		}
		return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "notes.md", "content": "# Notes\n\nall of it\n"}))
	})
	x := s.Open(t, "--permission-mode", "accept-edits")
	x.Prompt("change it")
	x.See("Both are at it.")
	x.Rest()
	x.Prompt("/changes")
	x.See("Changes · by prompt · 2 files", "calc.go", "notes.md", "+1 −1")
	x.Type(harness.KeyEnter)
	x.See("+func Add(a, b int) int { return 2 * (a + b) }")
	x.Type(harness.KeyDown, "c")
	x.See("comment on calc.go:")
	x.Type("say why it is doubled", harness.KeyEnter)
	x.See("1 comment", "▸ say why it is doubled")
	x.Type("q")
	x.SeeNot("Changes ·")
	require.Equal(t, 0, x.Quit())

	y := s.Open(t, "--continue", "--permission-mode", "accept-edits")
	y.Prompt("/changes")
	y.See("1 comment", "▸ say why it is doubled")
	y.Type("m")
	y.See(`sent to "the doubling": 1 comment`)
	told := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("double it") && h.Asked("Comments on your changes") })
	require.Contains(t, strings.ReplaceAll(string(told.Raw), `\u003e`, ">"), `> func Add(a, b int) int { return 2 * (a + b) }\nsay why it is doubled`)
	y.See("Changes · by prompt · 2 files")
	y.Type("q")
	y.SeeNot("Changes ·")
	y.See("held back until you write") // the subagent has ended: else the key that quits asks about it
	require.Equal(t, 0, y.Quit())
}
