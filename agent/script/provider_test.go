package script_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
	"pawl/lifecycle"
)

// saying is a script that answers anything with one text and, if so, a call.
func saying(t *testing.T, text, call string) *script.Script {
	t.Helper()
	s, err := script.Parse(fmt.Sprintf("[calls]\nit = %s\n[[answers]]\nsay = %q\ncalls = %s", cmp.Or(call, "{}"), text, map[bool]string{true: "[]", false: `["it"]`}[call == ""]))
	require.NoError(t, err)
	return s
}

const lists = `{ tool = "list", input = "{}" }`

// asked is a request of the user's own session.
func asked(prompt string) agent.Request {
	return agent.Request{Messages: []agent.Message{agent.Say(prompt)}, Tools: []agent.ToolSpec{{Name: "agent", Schema: []byte("{}")}}}
}

// stream collects the pieces of one answer.
func stream(ctx context.Context, p *script.Provider, req agent.Request) (pieces []agent.Delta, answer agent.Response, err error) {
	answer, err = p.Stream(ctx, req, func(d agent.Delta) { pieces = append(pieces, d) })
	return pieces, answer, err
}

func TestStreamGivesTheAnswerInPieces(t *testing.T) {
	const text = "  One two,\n\nthree\tä 四 \n"
	p := script.New(saying(t, text, `{ tool = "read", input = '{"path":"a"}' }`), script.Immediate)
	req := asked("1234")
	req.System = "12345678"
	pieces, answer, err := stream(t.Context(), p, req)
	require.NoError(t, err)
	require.Equal(t, []agent.Delta{
		{Text: "  One "},
		{Text: "two,\n\n"},
		{Text: "three\t"},
		{Text: "ä "},
		{Text: "四 \n"},
		{Call: "read"},
	}, pieces)

	calls := answer.Message.Calls()
	require.NotEmpty(t, calls[0].ID)
	require.Equal(t, agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
			{Text: text},
			{Call: &agent.Call{ID: calls[0].ID, Name: "read", Input: []byte(`{"path":"a"}`)}},
		}},
		Stop:  agent.StopToolCalls,
		Usage: lifecycle.Usage{InputTokens: (8+5+2+1)/4 + 1, OutputTokens: int64(len(text)+len(`read{"path":"a"}`)+3) / 4},
	}, answer)

	_, second, err := stream(t.Context(), p, req)
	require.NoError(t, err)
	require.NotEqual(t, calls[0].ID, second.Message.Calls()[0].ID)
}

func TestAnAnswerWithoutCallsEndsTheRun(t *testing.T) {
	_, answer, err := stream(t.Context(), script.New(saying(t, "done", ""), script.Immediate), asked("go"))
	require.NoError(t, err)
	require.Equal(t, agent.StopEnd, answer.Stop)
}

func TestImmediateTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, _, err := stream(t.Context(), script.New(saying(t, strings.Repeat("word ", 5000), ""), script.Immediate), asked("go"))
		require.NoError(t, err)
		require.Zero(t, time.Since(start))
	})
}

func TestDefaultCanBeReadAlong(t *testing.T) {
	took := func(words int) (d time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, _, err := stream(t.Context(), script.New(saying(t, strings.Repeat("word ", words), lists), script.Default), asked("go"))
			require.NoError(t, err)
			d = time.Since(start)
		})
		return d
	}
	step, report, novel := took(20), took(80), took(5000)
	require.Greater(t, step, 2*time.Second)
	require.Less(t, step, 4*time.Second)
	require.Greater(t, report, step)
	require.Less(t, novel, 10*time.Second, "a long answer is not a long wait")
}

func TestASubagentTakesTwelveToTwentySeconds(t *testing.T) {
	for _, description := range []string{"survey the layout", "measure languages and sizes", "find open TODOs"} {
		t.Run(description, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := given(t, description)
				p := script.New(k.script, script.Default)
				start := time.Now()
				for done := false; !done; {
					_, answer, err := stream(t.Context(), p, k.request())
					require.NoError(t, err)
					turn := k.answer()
					require.Equal(t, turn.Text, answer.Message.Text())
					if done = len(turn.Calls) == 0; !done {
						k.gets(small[named(turn.Calls)[0]])
					}
				}
				require.Greater(t, time.Since(start), 11*time.Second)
				require.Less(t, time.Since(start), 20*time.Second)
			})
		})
	}
}

func TestStreamEndsTheMomentItsContextDoes(t *testing.T) {
	word := time.Duration(script.Default)
	for name, test := range map[string]struct {
		after  time.Duration // the first word
		pieces int
	}{
		"before the first word": {-word, 0},
		"between two words":     {word + word/2, 2},
		"while it makes a call": {4 * word, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, start := script.New(saying(t, "one two three", lists), script.Default), time.Now()
				var first time.Duration
				_, err := p.Stream(t.Context(), asked("go"), func(agent.Delta) { first = cmp.Or(first, time.Since(start)) })
				require.NoError(t, err)

				ctx, cancel := context.WithTimeout(t.Context(), first+test.after)
				defer cancel()
				start = time.Now()
				pieces, answer, err := stream(ctx, p, asked("go"))
				require.Equal(t, context.DeadlineExceeded, err)
				require.Equal(t, first+test.after, time.Since(start))
				require.Len(t, pieces, test.pieces)
				require.Zero(t, answer)
			})
		})
	}
}

func TestACanceledContextGetsNoWord(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pieces, _, err := stream(ctx, script.New(saying(t, "one", ""), script.Immediate), asked("go"))
	require.Equal(t, context.Canceled, err)
	require.Empty(t, pieces)
}

func TestImmediateHearsACancelBetweenWords(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pieces := 0
	_, err := script.New(saying(t, "one two three", ""), script.Immediate).Stream(ctx, asked("go"), func(agent.Delta) {
		pieces++
		cancel()
	})
	require.Equal(t, context.Canceled, err)
	require.Equal(t, 1, pieces)
}

func TestAScriptWithAFieldThatNoneHasIsRefused(t *testing.T) {
	_, err := script.Parse("[[answers]]\nsays = 'hello'\n")
	require.ErrorContains(t, err, "read a model's script")
}
