package app

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/lifecycle"
)

// ruling is a session that knows its rules and nothing else.
func ruling(mode permission.Mode, kinds ...agent.Type) *Session {
	return &Session{
		Base:    &base.Base{Settings: settings.Settings{Limits: settings.Limits{MaxSteps: 10}}, Models: models.New(nil, nil, 0)},
		Choices: choices{mode: mode}, Types: types.Found{Types: kinds},
	}
}

func TestARunIsBoundByTheNarrowerOfItsTypeAndTheSession(t *testing.T) {
	child := lifecycle.Run{Spec: lifecycle.Spec{Parent: "p", Type: "x"}}
	for _, row := range []struct{ session, kind, want permission.Mode }{
		{permission.Bypass, permission.Plan, permission.Plan},
		{permission.Bypass, permission.Default, permission.Default},
		{permission.Default, permission.Bypass, permission.Default},
		{permission.Plan, permission.AcceptEdits, permission.Plan},
		{permission.AcceptEdits, "", permission.AcceptEdits},
		{permission.Bypass, "no such mode", "no such mode"}, // which asks about everything
	} {
		r, err := ruling(row.session, agent.Type{Name: "x", Mode: string(row.kind), MaxSteps: 99}).rules(child)
		require.NoError(t, err)
		require.Equal(t, row.want, r.Mode, "%+v", row)
		require.Equal(t, 10, r.MaxSteps)
	}
	r, err := ruling(permission.Bypass, agent.Type{Name: "x", MaxSteps: 3}).rules(child)
	require.NoError(t, err)
	require.Equal(t, 3, r.MaxSteps)
}

// Its file may have been what kept it from everything.
func TestARunOfATypeThatIsGoneIsNotOneWithEverything(t *testing.T) {
	h := ruling(permission.Bypass, agent.BuiltinTypes()...)
	_, err := h.kit(t.Context(), lifecycle.Run{Spec: lifecycle.Spec{Parent: "p", Type: "gone"}})
	require.ErrorContains(t, err, `"gone"`)
	require.ErrorContains(t, err, "pawl agents")
}

// The rules go to another process as JSON: no tools must stay none.
func TestATypesLimitsSurviveTheWayToAnotherProcess(t *testing.T) {
	for _, kind := range []agent.Type{{Name: "none", Tools: []string{}}, {Name: "all"}, {Name: "some", Tools: []string{"read"}, Without: []string{"x*"}, Mode: "plan"}} {
		text, err := json.Marshal(rules{Type: kind, Mode: permission.Plan})
		require.NoError(t, err)
		var told rules
		require.NoError(t, json.Unmarshal(text, &told))
		require.Equal(t, rules{Type: kind, Mode: permission.Plan}, told)
	}
}

func TestAWordForAModelMeansOneOnlyWhereItsMakerCanBeAsked(t *testing.T) {
	m := models.New([]string{"ANTHROPIC_API_KEY=k"}, nil, 0)
	model, ok := m.Claude("sonnet")
	require.True(t, ok)
	require.NoError(t, m.Check(model))
	model, ok = m.Claude("claude-x")
	require.True(t, ok)
	require.Equal(t, "anthropic/claude-x", model)
	for _, word := range []string{"", "opus", "gpt", "sonn"} {
		_, ok = m.Claude(word)
		require.False(t, ok, word)
	}
	_, ok = models.New([]string{"OPENAI_API_KEY=k"}, nil, 0).Claude("sonnet")
	require.False(t, ok)
}
