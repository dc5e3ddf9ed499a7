package script_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
	"pawl/lifecycle"
)

// always is a model that gives one answer.
func always(turn script.Turn) script.Model { return func(agent.Request) script.Turn { return turn } }

// stream collects the pieces of one answer.
func stream(ctx context.Context, p *script.Provider, req agent.Request) (pieces []agent.Delta, answer agent.Response, err error) {
	answer, err = p.Stream(ctx, req, func(d agent.Delta) { pieces = append(pieces, d) })
	return pieces, answer, err
}

func TestStreamGivesTheAnswerInPieces(t *testing.T) {
	const text = "  One two,\n\nthree\tä 四 \n"
	turn := script.Turn{Thinking: "let me", Text: text, Calls: []agent.Call{
		{Name: "read", Input: []byte(`{"path":"a"}`)}, {ID: "mine", Name: "list"},
	}}
	p := script.New(always(turn), script.Immediate)
	req := agent.Request{System: "12345678", Messages: []agent.Message{agent.Say("1234")}, Tools: []agent.ToolSpec{{Name: "read", Schema: []byte("{}")}}}
	pieces, answer, err := stream(t.Context(), p, req)
	require.NoError(t, err)
	require.Equal(t, []agent.Delta{
		{Thinking: "let "}, {Thinking: "me"},
		{Text: "  One "}, {Text: "two,\n\n"}, {Text: "three\t"}, {Text: "ä "}, {Text: "四 \n"},
		{Call: "read"}, {Call: "list"},
	}, pieces)

	calls := answer.Message.Calls()
	require.NotEmpty(t, calls[0].ID)
	require.Equal(t, agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
			{Thinking: &agent.Thinking{Text: "let me", Provider: "demo"}},
			{Text: text},
			{Call: &agent.Call{ID: calls[0].ID, Name: "read", Input: []byte(`{"path":"a"}`)}},
			{Call: &agent.Call{ID: "mine", Name: "list", Input: []byte(`{}`)}},
		}},
		Stop:  agent.StopToolCalls,
		Usage: lifecycle.Usage{InputTokens: (8 + 4 + 6 + 3) / 4, OutputTokens: int64(len(text)+6+16+6+3) / 4},
	}, answer)

	_, second, err := stream(t.Context(), p, req)
	require.NoError(t, err)
	require.NotEqual(t, calls[0].ID, second.Message.Calls()[0].ID)
}

func TestStopReasons(t *testing.T) {
	for want, turn := range map[agent.StopReason]script.Turn{
		agent.StopEnd:       {},
		agent.StopToolCalls: {Calls: []agent.Call{{Name: "list"}}},
		agent.StopLength:    {Stop: agent.StopLength, Calls: []agent.Call{{Name: "list"}}},
	} {
		_, answer, err := stream(t.Context(), script.New(always(turn), script.Immediate), agent.Request{})
		require.NoError(t, err)
		require.Equal(t, want, answer.Stop)
	}
}

func TestAnErrorComesAfterTheText(t *testing.T) {
	cut := &agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the stream was cut", Temporary: true}
	pieces, _, err := stream(t.Context(), script.New(always(script.Turn{Text: "half an", Err: cut}), script.Immediate), agent.Request{})
	require.Equal(t, []agent.Delta{{Text: "half "}, {Text: "an"}}, pieces)
	require.Same(t, cut, err)

	plain := errors.New("no such line")
	_, _, err = stream(t.Context(), script.New(always(script.Turn{Err: plain}), script.Immediate), agent.Request{})
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, &agent.ProviderError{Kind: lifecycle.FailProvider, Message: "no such line", Err: plain}, failed)
}

func TestImmediateTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, _, err := stream(t.Context(), script.New(always(script.Turn{Text: strings.Repeat("word ", 5000)}), script.Immediate), agent.Request{})
		require.NoError(t, err)
		require.Zero(t, time.Since(start))
	})
}

func TestDefaultCanBeReadAlong(t *testing.T) {
	took := func(words int) (d time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			turn := script.Turn{Text: strings.Repeat("word ", words), Calls: []agent.Call{{Name: "list"}}}
			_, _, err := stream(t.Context(), script.New(always(turn), script.Default), agent.Request{})
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
				p := script.New(k.model, script.Default)
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
	turn := script.Turn{Text: "one two three", Calls: []agent.Call{{Name: "list"}}, Latency: time.Second, Stall: time.Hour}
	word := time.Duration(script.Default)
	for name, test := range map[string]struct {
		after  time.Duration
		pieces int
	}{
		"before the first word": {time.Second / 2, 0},
		"between two words":     {time.Second + word + word/2, 2},
		"while it makes a call": {time.Second + 4*word, 4},
		"while it stalls":       {time.Minute, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.after)
				defer cancel()
				start := time.Now()
				pieces, answer, err := stream(ctx, script.New(always(turn), script.Default), agent.Request{})
				require.Equal(t, context.DeadlineExceeded, err)
				require.Equal(t, test.after, time.Since(start))
				require.Len(t, pieces, test.pieces)
				require.Zero(t, answer)
			})
		})
	}
}

func TestACanceledContextGetsNoWord(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pieces, _, err := stream(ctx, script.New(always(script.Turn{Text: "one"}), script.Immediate), agent.Request{})
	require.Equal(t, context.Canceled, err)
	require.Empty(t, pieces)
}

func TestImmediateHearsACancelBetweenWords(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pieces := 0
	_, err := script.New(always(script.Turn{Text: "one two three"}), script.Immediate).Stream(ctx, agent.Request{}, func(agent.Delta) {
		pieces++
		cancel()
	})
	require.Equal(t, context.Canceled, err)
	require.Equal(t, 1, pieces)
}

func TestNewWantsAModel(t *testing.T) {
	require.PanicsWithValue(t, "script: New without a model", func() { script.New(nil, script.Default) })
}
