package stories

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// The recipes are played as their page says, keys and commands and what is to be seen.

// kitchen is a stage for a recipe, with the model that `pawl` alone uses.
func kitchen(t *testing.T, script func(modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), script)
	return s.With("PAWL_MODEL=" + s.Model)
}

// asIs leaves the words of a page as they are.
var asIs = strings.NewReplacer()

// sendsFive starts five subagents that work until they are stopped.
func sendsFive(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("side"):
		return modeltest.Say("I look").Until(make(chan struct{}))
	case len(h.Notices()) > 0:
		return modeltest.Say("I have heard of an end.")
	case h.Answered("agent"):
		return modeltest.Say("They are on their way.")
	}
	var calls []modeltest.Call
	for i := range 5 {
		calls = append(calls, modeltest.Launch(fmt.Sprintf("side %d", i+1), fmt.Sprintf("look at side %d", i+1)))
	}
	return modeltest.Do(calls...)
}

// fiveAtWork is a screen on which five subagents work.
func fiveAtWork(t *testing.T) (*harness.Stage, *harness.Terminal, *strings.Replacer) {
	t.Helper()
	s := kitchen(t, sendsFive)
	x := s.Open(t)
	x.Prompt("go")
	x.See("They are on their way.", "5 work")
	return s, x, strings.NewReplacer("ID", latest(t, s))
}

func TestRecipeRunFiveReviewers(t *testing.T) {
	s := kitchen(t, sendsFive)
	x, _ := s.Play(t, nil, harness.ReadRecipe(t, "Run five reviewers").Steps, asIs)
	x.Type(harness.KeyCtrlX)
	x.See("stop all of them")
	x.Type("x")
	x.See(allStopped...)
	require.Equal(t, 0, x.Quit())
}

// allStopped is on the screen when none of the five is at work any more.
var allStopped = []string{"side 1 · stopped by you", "side 2 · stopped by you", "side 3 · stopped by you", "side 4 · stopped by you", "side 5 · stopped by you"}

func TestRecipeStopEverything(t *testing.T) {
	s, x, words := fiveAtWork(t)
	steps := harness.ReadRecipe(t, "Stop everything").Steps
	s.Play(t, x, steps[:2], words)
	x.See(allStopped...)
	for _, h := range s.Server.All(modeltest.FromChild("side")) {
		s.Server.AwaitLeft(t, h)
	}
	x.Rest()
	require.Equal(t, 0, x.Quit())

	id := detached(t, s, "go")
	s.Server.AwaitNth(t, 6, modeltest.FromChild("side"))
	s.Play(t, nil, steps[2:], strings.NewReplacer("ID", id))
	s.Server.AwaitAlone(t)
}

func TestRecipeWhyDidItEnd(t *testing.T) {
	s := kitchen(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Fault(400, "no credit is left")
		case h.Answered("agent"):
			return modeltest.Say("It did not work.")
		}
		return modeltest.Do(modeltest.Delegate("a dig", "dig"))
	})
	x := s.Open(t)
	x.Prompt("go")
	x.See("It did not work.")
	x.Rest()
	x, _ = s.Play(t, x, harness.ReadRecipe(t, "Why did it end").Steps, strings.NewReplacer("ID", latest(t, s)))
	require.Equal(t, 0, x.Quit())
}

func TestRecipeTakeBackWhatItDid(t *testing.T) {
	s := kitchen(t, changesAll)
	put(t, s, "old.txt", "old\n")
	put(t, s, "edited.txt", "first\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("change it all")
	x.See("All is changed.")
	require.NotEqual(t, "first\n", holds(t, s, "edited.txt"))
	s.Play(t, x, harness.ReadRecipe(t, "Take back what it did").Steps, asIs)
	require.Equal(t, []string{"old\n", "first\n", ""}, []string{holds(t, s, "old.txt"), holds(t, s, "edited.txt"), holds(t, s, "mine.txt")})
	require.Equal(t, 0, x.Quit())
}

func TestRecipeLeaveItRunning(t *testing.T) {
	release := make(chan struct{})
	s := kitchen(t, oneDig(digging("I dig ", release, "and found a stone."), "A stone it is."))
	x := s.Open(t)
	x.Prompt("go")
	x.See("It is on its way.", "I dig")
	x, _ = s.Play(t, x, harness.ReadRecipe(t, "Leave it running").Steps, asIs)
	x.See("It is on its way.", "I dig")
	close(release)
	x.See("A stone it is.")
	require.Equal(t, 0, x.Quit())
}

func TestRecipeUseMyOwnServer(t *testing.T) {
	s := kitchen(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds numbers.") })
	s.Server.Takes("")
	r := harness.ReadRecipe(t, "Use my own server")
	address := regexp.MustCompile(`http://[^/"]+`)
	require.Regexp(t, address, r.Blocks["toml"])
	s.Configured(t, address.ReplaceAllLiteralString(r.Blocks["toml"], s.Server.URL))
	s.With("PAWL_MODEL=", "ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "GEMINI_API_KEY=")
	_, wrote := s.Play(t, nil, r.Steps, strings.NewReplacer("NAME", "compatible-loopback-1"))
	require.Contains(t, wrote[0], "studio/compatible-loopback-1")
	require.Equal(t, "It adds numbers.\n", wrote[1])
}

func TestRecipeShareASessionWithoutItsContent(t *testing.T) {
	s := kitchen(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("The refunds are sound.") })
	r, errs, code := s.Prompted(t, "-p", "audit the refunds")
	require.Equal(t, 0, code, errs)
	_, wrote := s.Play(t, nil, harness.ReadRecipe(t, "Share a session without its content").Steps, strings.NewReplacer("ID", r.Session))
	shared, err := os.ReadFile(filepath.Join(s.Dir, "shared.json"))
	require.NoError(t, err)
	for _, text := range append(wrote, string(shared)) {
		require.NotContains(t, text, "refunds")
	}
	require.Contains(t, string(shared), `"completed"`)
}

func TestRecipeLetCIUseIt(t *testing.T) {
	s := kitchen(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("write"):
			return modeltest.Say("calc.go:3 is sound.")
		case h.Asked("+func Add"):
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "made.txt", "content": "x"}))
		}
		return modeltest.Surprised()
	})
	step := regexp.MustCompile(`- run: (.+)`).FindStringSubmatch(harness.ReadRecipe(t, "Let CI use it").Blocks["yaml"])
	require.NotNil(t, step)
	s.With("CI=true")
	out, err := s.Shell(t, step[1]).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, holds(t, s, "review.json"), "calc.go:3 is sound.")
	require.Empty(t, holds(t, s, "made.txt"))
	s.With("ANTHROPIC_API_KEY=")
	require.Error(t, s.Shell(t, step[1]).Run(), "without its key the step fails")
}

func TestRecipeUseItInZed(t *testing.T) {
	s := kitchen(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("Hello from beside the code.") })
	var settings struct {
		Servers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string
		} `json:"agent_servers"`
	}
	require.NoError(t, json.Unmarshal([]byte(harness.ReadRecipe(t, "Use it in Zed").Blocks["json"]), &settings))
	zed := settings.Servers["Pawl"]
	require.Equal(t, "pawl acp", zed.Command+" "+strings.Join(zed.Args, " "), "that is what newEditorBy starts")
	require.Contains(t, zed.Env, "ANTHROPIC_API_KEY")
	e := newEditorBy(t, s, zed.Args[1:]...)
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(e.begin(), sdk.TextBlock("hi")))
	require.Equal(t, "Hello from beside the code.", e.until(func(acpPage) bool { return true }).text)
}
