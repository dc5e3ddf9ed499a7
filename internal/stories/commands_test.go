package stories

import (
	"strings"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePaletteAndEachListOfACommandTakeTheirKeys(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), twoLooks(closedChannel(), closedChannel()))
	s.withOwnServers(t, "[mcp.gone]\ncommand = [\"sh\", \"-c\", \"echo I fell >&2; exit 4\"]\n[permissions]\ndeny = [\"shell(rm *)\"]")
	x := s.open(t)
	x.prompt("send two")
	x.see("I have heard of an end.")
	x.rest()

	x.type_(keyCtrlP)
	x.see("Do ›", "ctrl+x", "/clear")
	x.type_("export as mdd", keyBackspace)
	x.see("export as md, html, json or trace")
	x.type_(keyEnter)
	x.see("Export as", "for programs")
	x.type_(keyDown, keyDown, keyEnter)
	x.see("exported to", ".json")
	files, err := filepath.Glob(filepath.Join(s.exports(), "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)

	x.type_("/cost", keyEnter)
	x.see("Cost:", "main agent", "second look", "not known")
	x.type_(keyPgDown, keyPgUp, keyDown, keyUp, keyCtrlN, keyCtrlN, keyCtrlP, keyEnter)
	x.see("1 of 2", "look at one")
	x.type_("/agents", keyEnter)
	x.see("Agents ›", "built in")
	x.type_("nobody", keyCtrlU, "nobody", keyCtrlW, "nobody", keyAltBackspace, "nobody", keyCtrlBackspace)
	x.type_("explorers", keyShiftBackspace, keyCtrlH)
	x.see("Agents › explore")
	x.type_(keyEnter)
	x.see("› Use the explore subagent to")
	x.type_(keyCtrlU, "/permissions", keyEnter)
	x.see("reads need no question", "deny shell(rm *)", "config.toml")
	x.type_("plan", keyEnter)
	x.see("permission mode: plan", " · plan · ")
	x.type_("/permissions bypass", keyEnter)
	x.see("Allow every call without asking")
	x.type_("y")
	x.see("permission mode: bypass", " · bypass · ")
	x.type_("/mcp", keyEnter)
	x.see("MCP servers", "exit code 4", "its last output: I fell", "fix it in config.toml")
	x.type_(keyEsc)
	x.seeNot("MCP servers")
	x.type_("/theme", keyEnter)
	x.see("Theme ›", "light")
	x.type_(keyCtrlC)
	x.seeNot("Theme ›")
	x.type_("/help", keyEnter)
	x.see("More for writing")
	x.type_(keyEsc)
	x.seeNot("More for writing")
	x.type_("/halp", keyEnter)
	x.see("/halp is not a command; did you mean /help?")
	x.type_(keyCtrlU, "/quit", keyEnter)
	require.Equal(t, 0, x.wait())
}

func TestAChosenModelIsAskedFromTheNextRunOnAndAfterComingBack(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply { return say("I am " + h.model + ".") }).configured(t, `model = "anthropic/claude-loopback-1"`)
	x := s.open(t)
	x.prompt("who are you?")
	x.see("I am claude-loopback-1.")
	x.type_("/model anthropi/claude", keyEnter)
	x.see(`unknown model "anthropi/claude"; did you mean`)
	x.type_("/model", keyEnter)
	x.see("Model ›", "anthropic/claude-opus-5-5", "gemini/gemini-loopback-1") // as the servers say
	x.type_("opus", keyEnter)
	x.see("model: anthropic/claude-opus-5-5")
	x.prompt("and now?")
	x.see("I am claude-opus-5-5.", "  anthropic/claude-opus-5-5 · ")
	require.Equal(t, "claude-opus-5-5", s.server.await(t, parentAsked("and now?")).model)
	require.Equal(t, 0, x.quit())

	x = start(t, s.dir, s.env, "--continue") // and no --model
	x.ready()
	x.prompt("still?")
	require.Equal(t, "claude-opus-5-5", s.server.await(t, parentAsked("still?")).model)
	x.waitFor("the second answer", func(screen string) bool { return strings.Count(screen, "I am claude-opus-5-5.") == 2 })
	x.see("  anthropic/claude-opus-5-5 · ")
	require.Equal(t, 0, x.quit())
}

func TestTheModeOfTheScreenIsThatOfTheNextCall(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.answered("shell") {
			return say("It ran.")
		}
		return do(use("shell", object{"command": "touch made.txt"})).until(release)
	})
	x := s.open(t)
	x.prompt("run it")
	s.server.await(t, fromParent)
	x.type_("/permissions plan", keyEnter)
	x.see("permission mode: plan")
	close(release)
	x.see("It ran.")
	require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "plan mode")
	require.Equal(t, 0, x.quit())
}
