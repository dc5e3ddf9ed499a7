package mcp

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func TestAQuestionOfAServerIsThePersonsToAnswer(t *testing.T) {
	spec := itself(t, "one", "")
	s := housed(t, spec)
	elicit := find(t, s, "mcp__one__elicit")
	const confirm = `{"type":"object","properties":{"confirm":{"type":"boolean"},"how":{"type":"string","default":"slowly"},"why":{"type":"string"}},"required":["confirm"]}`
	yes := lifecycle.Answer{Allow: true, By: "person"}
	for name, row := range map[string]struct {
		schema string
		answer lifecycle.Answer
		want   string
		asked  bool
	}{
		"yes":                      {confirm, yes, `{"action":"accept","content":{"confirm":true,"how":"slowly"}}`, true},
		"no":                       {confirm, lifecycle.Answer{By: "person"}, `{"action":"decline"}`, true},
		"nobody is there":          {confirm, lifecycle.Answer{By: "nobody"}, `{"action":"cancel"}`, true},
		"a program says yes":       {confirm, lifecycle.Answer{Allow: true, By: "hook"}, `{"action":"decline"}`, true},
		"nothing to fill in":       {`{"type":"object","properties":{}}`, yes, `{"action":"accept"}`, true},
		"a choice of one":          {`{"type":"object","properties":{"a":{"type":"string","enum":["x"]}},"required":["a"]}`, yes, `{"action":"accept","content":{"a":"x"}}`, true},
		"what a yes cannot answer": {`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, yes, `{"action":"decline"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []lifecycle.Question
			result := elicit.Run(t.Context(), agent.Invocation{Call: "c", Input: json.RawMessage(row.schema), Ask: func(_ context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
				asked = append(asked, q)
				return row.answer, nil
			}})
			require.Equal(t, row.want, result.Text)
			require.Equal(t, row.asked, len(asked) == 1)
			if row.asked {
				require.Equal(t, "asks: Delete ␛[2J all?", asked[0].Subject)
				require.NotEmpty(t, asked[0].AlwaysAsk, "no earlier yes and no mode answers it")
				require.Empty(t, asked[0].Effect, "no rule does")
			}
		})
	}
	require.JSONEq(t, `{"action":"cancel"}`, ask(t.Context(), elicit, confirm, nil).Text, "where nobody can be asked")
}

func TestALimitStandsStillWhileAPersonThinks(t *testing.T) {
	t.Parallel()
	spec := itself(t, "one", "")
	spec.Limit = 5 * time.Second
	s := housed(t, spec)
	elicit := find(t, s, "mcp__one__elicit")
	result := elicit.Run(t.Context(), agent.Invocation{Call: "c", Input: json.RawMessage(`{}`), Ask: func(ctx context.Context, _ lifecycle.Question) (lifecycle.Answer, error) {
		select {
		case <-ctx.Done():
		case <-time.After(spec.Limit + time.Second):
		}
		return lifecycle.Answer{Allow: true, By: "person"}, ctx.Err()
	}})
	require.Equal(t, `{"action":"accept"}`, result.Text)
}
