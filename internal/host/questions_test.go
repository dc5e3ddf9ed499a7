package host

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/trust"
)

func TestTheListOfRulesSaysWhereEachStandsAndForgetsThoseOfAnswers(t *testing.T) {
	folders := settings.Folders{State: t.TempDir(), Config: "/config"}
	h := &screen{Session: &app.Session{Base: &base.Base{Folders: folders}, Allowed: trust.NewAllowed(folders, t.TempDir())}}
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	h.Settings.Permissions = permission.Rules{Deny: []permission.Rule{deny}, Allow: allowing(t, "shell(ls)")}
	require.NoError(t, h.Allowed.Add(allowing(t, "shell(go test *)", "shell(pwd)")))
	listed := func() (texts []string) {
		for _, rule := range h.permissions() {
			texts = append(texts, rule.Text+" "+filepath.Base(rule.Source))
		}
		return texts
	}
	require.Equal(t, []string{"deny shell(rm *) config.toml", "allow shell(ls) config.toml", "allow shell(go test *) allowed.toml", "allow shell(pwd) allowed.toml"}, listed())
	all := h.permissions()
	require.Nil(t, all[0].Forget, "that is for an editor")
	require.NoError(t, all[2].Forget(t.Context()))
	require.Equal(t, []string{"deny shell(rm *) config.toml", "allow shell(ls) config.toml", "allow shell(pwd) allowed.toml"}, listed())
}

func allowing(t testing.TB, all ...string) []permission.AllowRule {
	t.Helper()
	rules := make([]permission.AllowRule, len(all))
	for i, text := range all {
		require.NoError(t, rules[i].UnmarshalText([]byte(text)))
	}
	return rules
}
