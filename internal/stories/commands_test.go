package stories

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestThePaletteAndEachListOfACommandTakeTheirKeys(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), twoLooks(closedChannel(), closedChannel()))
	withOwnServers(t, s, "[mcp.gone]\ncommand = [\"sh\", \"-c\", \"echo I fell >&2; exit 4\"]\n[permissions]\ndeny = [\"shell(rm *)\"]")
	x := s.Open(t)
	x.Prompt("send two")
	x.See("I have heard of an end.")
	x.Rest()

	x.Type(harness.KeyCtrlP)
	x.See("Do ›", "ctrl+x", "/clear")
	x.Type("export as mdd", harness.KeyBackspace)
	x.See("export as md, html, json or trace")
	x.Type(harness.KeyEnter)
	x.See("Export as", "for programs")
	x.Type(harness.KeyDown, harness.KeyDown, harness.KeyEnter)
	x.See("exported to", ".json")
	files, err := filepath.Glob(filepath.Join(s.Exports(), "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)

	x.Type("/cost", harness.KeyEnter)
	x.See("Cost:", "main agent", "second look", "not known")
	x.Type(harness.KeyPgDown, harness.KeyPgUp, harness.KeyDown, harness.KeyUp, harness.KeyCtrlN, harness.KeyCtrlN, harness.KeyCtrlP, harness.KeyEnter)
	x.See("1 of 2", "look at one")
	x.Type("/agents", harness.KeyEnter)
	x.See("Agents ›", "built in")
	x.Type("nobody", harness.KeyCtrlU, "nobody", harness.KeyCtrlW, "nobody", harness.KeyAltBackspace, "nobody", harness.KeyCtrlBackspace)
	x.Type("explorers", harness.KeyShiftBackspace, harness.KeyCtrlH)
	x.See("Agents › explore")
	x.Type(harness.KeyEnter)
	x.See("› Use the explore subagent to")
	x.Type(harness.KeyCtrlU, "/permissions", harness.KeyEnter)
	x.See("reading needs no question", "deny shell(rm *)", "config.toml")
	x.Type("plan", harness.KeyEnter)
	x.See("permission mode: plan", " · plan · ")
	x.Type("/permissions bypass", harness.KeyEnter)
	x.See("Allow every call without asking")
	x.Type("y")
	x.See("permission mode: bypass", " · bypass · ")
	x.Type("/mcp", harness.KeyEnter)
	x.See("MCP servers", "exit code 4", "its last output: I fell", "fix it in config.toml")
	x.Type(harness.KeyEsc)
	x.SeeNot("MCP servers")
	x.Type("/theme", harness.KeyEnter)
	x.See("Theme ›", "light")
	x.Type(harness.KeyCtrlC)
	x.SeeNot("Theme ›")
	x.Type("/help", harness.KeyEnter)
	x.See("More for writing")
	x.Type(harness.KeyEsc)
	x.SeeNot("More for writing")
	x.Type("/halp", harness.KeyEnter)
	x.See("/halp is not a command; did you mean /help?")
	x.Type(harness.KeyCtrlU, "/quit", harness.KeyEnter)
	require.Equal(t, 0, x.Wait())
}

func TestAChosenModelIsAskedFromTheNextRunOnAndAfterComingBack(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply { return modeltest.Say("I am " + h.Model + ".") }).Configured(t, `model = "anthropic/claude-loopback-1"`)
	x := s.Open(t)
	x.Prompt("who are you?")
	x.See("I am claude-loopback-1.")
	x.Type("/model anthropi/claude", harness.KeyEnter)
	x.See(`unknown model "anthropi/claude"; did you mean`, "› /model anthropi/claude")
	x.Type(harness.KeyCtrlU, "/model", harness.KeyEnter)
	x.See("Model ›", "anthropic/claude-opus-5-5", "gemini/gemini-loopback-1") // as the servers say
	x.Type("opus", harness.KeyEnter)
	x.See("model: anthropic/claude-opus-5-5")
	x.Prompt("and now?")
	x.See("I am claude-opus-5-5.", "  anthropic/claude-opus-5-5 · ")
	require.Equal(t, "claude-opus-5-5", s.Server.Await(t, modeltest.ParentAsked("and now?")).Model)
	require.Equal(t, 0, x.Quit())

	x = harness.Start(t, s.Dir, s.Env, "--continue") // and no --model
	x.Ready()
	x.Prompt("still?")
	require.Equal(t, "claude-opus-5-5", s.Server.Await(t, modeltest.ParentAsked("still?")).Model)
	x.WaitFor("the second answer", func(screen string) bool { return strings.Count(screen, "I am claude-opus-5-5.") == 2 })
	x.See("  anthropic/claude-opus-5-5 · ")
	require.Equal(t, 0, x.Quit())
}

func TestTheModeOfTheScreenIsThatOfTheNextCall(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("It ran.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch made.txt"})).Until(release)
	})
	x := s.Open(t)
	x.Prompt("run it")
	s.Server.Await(t, modeltest.FromParent)
	x.Type("/permissions plan", harness.KeyEnter)
	x.See("permission mode: plan")
	close(release)
	x.See("It ran.")
	require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "plan mode")
	require.Equal(t, 0, x.Quit())
}
