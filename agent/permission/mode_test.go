package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestEveryEffectInEveryMode(t *testing.T) {
	table := map[Mode]map[agent.EffectKind]Decision{
		Default:     {agent.EffectRead: Allow, agent.EffectEdit: Ask, agent.EffectShell: Ask, agent.EffectFetch: Ask, agent.EffectMCP: Ask},
		AcceptEdits: {agent.EffectRead: Allow, agent.EffectEdit: Allow, agent.EffectShell: Ask, agent.EffectFetch: Ask, agent.EffectMCP: Ask},
		Plan:        {agent.EffectRead: Allow, agent.EffectEdit: Deny, agent.EffectShell: Deny, agent.EffectFetch: Deny, agent.EffectMCP: Deny},
		Bypass:      {agent.EffectRead: Allow, agent.EffectEdit: Allow, agent.EffectShell: Allow, agent.EffectFetch: Allow, agent.EffectMCP: Allow},
	}
	require.Len(t, table, len(Modes()))
	for mode, row := range table {
		for kind, want := range row {
			got, reason := Decide(mode, agent.Effect{Kind: kind})
			require.Equal(t, want, got, "%s in %s", kind, mode)
			require.Equal(t, want == Deny, reason != "", "a no says why")
		}
	}
}

func TestWhatIsUnknownIsAskedAbout(t *testing.T) {
	got, _ := Decide(Default, agent.Effect{Kind: "teleport"})
	require.Equal(t, Ask, got)
	got, _ = Decide("no such mode", agent.Effect{Kind: agent.EffectShell})
	require.Equal(t, Ask, got)
	var forgotten Decision
	require.Equal(t, Ask, forgotten)
}

func TestAModeIsReadByItsName(t *testing.T) {
	for _, mode := range Modes() {
		got, err := ParseMode(string(mode))
		require.NoError(t, err)
		require.Equal(t, mode, got)
	}
	_, err := ParseMode("yolo")
	require.ErrorContains(t, err, "default, accept-edits, plan, bypass")
}
