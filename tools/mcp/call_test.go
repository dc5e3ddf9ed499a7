package mcp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestAToolGivesWhatItsServerAnswers(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	call := func(name, input string) agent.Result {
		return ask(t.Context(), find(t, s, "mcp__one__"+name), input, nil)
	}

	require.Equal(t, `heard {"text":"a\u0000b"}`, call("echo", `{"text":"a\u0000b"}`).Text)
	require.Equal(t, "heard {}", call("echo", `{}`).Text)
	require.Equal(t, `{"sum":3}`, call("structured", `{}`).Text)

	all := call("all", `{}`)
	require.Equal(t, []agent.Image{{MediaType: "image/png", Data: []byte("a picture")}}, all.Images)
	require.Equal(t, "look:\n[a picture: image/png, 9 bytes]\n[a picture that cannot be shown: image/svg+xml, 6 bytes]\n[file:///notes]\nthe notes\n[more: file:///more]", all.Text)
	require.False(t, all.IsError)

	failed := call("fail", `{}`)
	require.True(t, failed.IsError)
	require.Equal(t, "the disk is full", failed.Text)
	refused := call("refuse", `{}`)
	require.True(t, refused.IsError)
	require.Equal(t, "The MCP server one refused the call: not today", refused.Text)
	require.Contains(t, call("echo", `["no object"]`).Text, "one JSON object")
}

func TestACallIsAskedAboutWithAllOfItsArguments(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	echo := find(t, s, "mcp__one__echo")
	require.False(t, echo.ReadOnly)
	long := `{"text": "` + strings.Repeat("x", 5000) + `"}`
	effect, err := echo.Effect(t.Context(), agent.Invocation{Input: []byte(long)})
	require.NoError(t, err)
	require.Equal(t, agent.Effect{Kind: agent.EffectMCP, Subject: "one echo " + strings.Replace(long, ": ", ":", 1)}, effect)
	require.Equal(t, `{"text":"a"}`, echo.Label([]byte(`{"text":
		"a"}`)))
	require.Equal(t, "no JSON", echo.Label([]byte("no\nJSON")))
}

func TestAServerGetsAnEnvironmentWithoutKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-outer")
	spec := itself(t, "one", "")
	spec.Env["HANDED"] = "${GIVEN} and ${MISSING:-a default}"
	s := housed(t, spec)
	environ := ask(t.Context(), find(t, s, "mcp__one__environ"), `{}`, nil).Text
	require.Contains(t, environ, "HANDED=from outside and a default\n")
	require.NotContains(t, environ, "sk-outer")
}

func TestACallThatIsStoppedIsCanceledAtTheServerToo(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	wait := find(t, s, "mcp__one__wait")
	ctx, cancel := context.WithCancel(t.Context())
	result := ask(ctx, wait, `{}`, func(activity string) {
		require.Equal(t, "half way", activity)
		cancel()
	})
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "Canceled")
	require.Equal(t, "heard {}", ask(t.Context(), find(t, s, "mcp__one__echo"), `{}`, nil).Text)
	s.Close()
	require.Equal(t, "I was told to stop", s.Status()[0].Said)
}

func TestAServerThatIgnoresAStopHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	spec := itself(t, "one", "lingering")
	spec.Limit = 5 * time.Second
	s := housed(t, spec)
	ignore := find(t, s, "mcp__one__ignore")
	var seen []string
	began := time.Now()
	result := ask(t.Context(), ignore, `{}`, func(activity string) { seen = append(seen, activity) })
	require.Contains(t, result.Text, "said nothing for 5s")
	require.Less(t, time.Since(began), patience)
	require.Equal(t, []string{"3 of 8"}, seen)
	require.Contains(t, ask(t.Context(), find(t, s, "mcp__one__echo"), `{}`, nil).Text, "heard", "it is asked on")
	began = time.Now()
	s.Close()
	require.Less(t, time.Since(began), patience)
}

func TestAServerThatReadsNothingIsCutOff(t *testing.T) {
	t.Parallel()
	spec := itself(t, "one", "")
	spec.Limit = 5 * time.Second
	s := housed(t, spec)
	require.Equal(t, "I hear no more", ask(t.Context(), find(t, s, "mcp__one__deafen"), `{}`, nil).Text)
	began := time.Now()
	result := ask(t.Context(), find(t, s, "mcp__one__echo"), `{"text": "`+strings.Repeat("x", 1<<18)+`"}`, nil)
	require.Contains(t, result.Text, "said nothing for 5s")
	require.Less(t, time.Since(began), patience)
	until(t, s, func(all []Status) bool { return all[0].State == Down })
}

func TestAServerThatDiesInACallSaysSoAndIsStartedAgainAfterARest(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	die, echo := find(t, s, "mcp__one__die"), find(t, s, "mcp__one__echo")
	s.pause = time.Hour
	lost := ask(t.Context(), die, `{}`, nil)
	require.True(t, lost.IsError)
	require.Contains(t, lost.Text, "exit code 3; its last output: I fall. A later call starts it again.")
	require.NotContains(t, lost.Text, "\n")
	require.Equal(t, []Status{{Name: "one", From: "config.toml", State: Down, Tools: 14, Prompts: 4, Resources: 3, Why: "it ended with exit code 3", Said: "I fall"}},
		until(t, s, func(all []Status) bool { return all[0].State == Down }))

	early := ask(t.Context(), echo, `{}`, nil)
	require.True(t, early.IsError)
	require.Contains(t, early.Text, "down: it ended with exit code 3")
	require.Contains(t, early.Text, "at the earliest")
	require.Equal(t, Down, s.Status()[0].State, "not yet")
	s.pause = 0
	require.Equal(t, "heard {}", ask(t.Context(), echo, `{}`, nil).Text)
	require.Equal(t, Ready, s.Status()[0].State)
}

func TestToolsThatChangedAreThereForALaterRun(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	require.Equal(t, "I have grown", ask(t.Context(), find(t, s, "mcp__one__grow"), `{}`, nil).Text)
	until(t, s, func(all []Status) bool { return all[0].Tools == 15 })
	find(t, s, "mcp__one__grown")
}
