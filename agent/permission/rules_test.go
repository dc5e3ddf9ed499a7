package permission

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// ruled makes rules from texts.
func ruled(t testing.TB, deny, ask, allow []string) Rules {
	t.Helper()
	var r Rules
	text, err := json.Marshal(map[string][]string{"deny": deny, "ask": ask, "allow": allow})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

func shellEffect(line string) agent.Effect {
	return agent.Effect{Kind: agent.EffectShell, Subject: line}
}

func TestTheStrictestRuleWinsAndNoneLiftsThePlanCeiling(t *testing.T) {
	r := ruled(t, []string{"shell(git push *)", "edit(vault/**)"}, []string{"shell(git commit *)"}, []string{"shell(git *)", "edit(src/**)"})
	for _, row := range []struct {
		mode Mode
		kind agent.EffectKind
		what string
		want Decision
	}{
		{Default, agent.EffectShell, "git status", Allow},
		{Default, agent.EffectShell, "git push origin", Deny},
		{Bypass, agent.EffectShell, "git push origin", Deny},
		{Plan, agent.EffectShell, "git push origin", Deny},
		{Default, agent.EffectShell, "git commit -m x", Ask},
		{Bypass, agent.EffectShell, "git commit -m x", Ask},
		{Plan, agent.EffectShell, "git status", Deny},
		{Default, agent.EffectShell, "go test", Ask},
		{Bypass, agent.EffectShell, "go test", Allow},
		{Default, agent.EffectShell, "git status && git log", Allow},
		{Default, agent.EffectShell, "git status && go test", Ask},
		{Default, agent.EffectShell, "git status; git commit -m x", Ask},
		{Default, agent.EffectShell, "git status; git push", Deny},
		{Default, agent.EffectEdit, "src/a.go", Allow},
		{Plan, agent.EffectEdit, "src/a.go", Deny},
		{Default, agent.EffectEdit, "doc/a.md", Ask},
		{AcceptEdits, agent.EffectEdit, "doc/a.md", Allow},
		{AcceptEdits, agent.EffectEdit, "vault/key", Deny},
		{Default, agent.EffectRead, "vault/key", Allow},
		{Default, agent.EffectFetch, "https://go.dev/", Ask},
	} {
		got, reason := r.Decide(row.mode, agent.Effect{Kind: row.kind, Subject: row.what})
		require.Equal(t, row.want, got, "%s %s in %s", row.kind, row.what, row.mode)
		require.True(t, got != Deny || reason != "", "a no says why")
	}
	_, why := r.Decide(Default, shellEffect("git commit -m x"))
	require.Equal(t, "the user's rule shell(git commit *) asks about it", why)
	_, why = r.Decide(Bypass, shellEffect("git $X"))
	require.Equal(t, "the user's rule shell(git push *) may deny it", why)
	_, reason := r.Decide(Bypass, shellEffect("git push"))
	require.Equal(t, "the user's rule shell(git push *) denies it", reason)
	decision, reason := r.Decide(Bypass, shellEffect("$X push"))
	require.Equal(t, Ask, decision)
	require.Equal(t, "the user's rule shell(git push *) may deny it", reason, "whoever is asked is told")
	require.Empty(t, r.Propose(Default, shellEffect("$X push")))
}

func TestWithoutRulesTheModeDecides(t *testing.T) {
	for _, mode := range Modes() {
		for _, kind := range kinds {
			want, why := Decide(mode, agent.Effect{Kind: agent.EffectKind(kind), Subject: "x"})
			got, reason := Rules{}.Decide(mode, agent.Effect{Kind: agent.EffectKind(kind), Subject: "x"})
			require.Equal(t, want, got)
			require.Equal(t, why, reason)
		}
	}
}

func TestGitsAndPawlsOwnFilesAreAskedAboutInEveryMode(t *testing.T) {
	r := ruled(t, nil, nil, []string{"edit(**)"})
	for _, path := range []string{".git/config", ".GIT/hooks/pre-commit", ".Git", "sub/.git/config", ".pawl/agents/x.md", ".PAWL/config.toml", ".mcp.json", "a/../.git/config", "./.git/x"} {
		for _, mode := range []Mode{Default, AcceptEdits, Bypass} {
			got, _ := r.Decide(mode, agent.Effect{Kind: agent.EffectEdit, Subject: path})
			require.Equal(t, Ask, got, "%s in %s", path, mode)
		}
	}
	got, _ := r.Decide(Default, agent.Effect{Kind: agent.EffectEdit, Subject: "src/.gitignore"})
	require.Equal(t, Allow, got)
}

func TestAPathIsDeniedWidelyAndAllowedNarrowly(t *testing.T) {
	for _, row := range []struct {
		glob, path  string
		wide, grant bool
	}{
		{"src/**", "src/a/b.go", true, true},
		{"src/**", "srcs/a.go", false, false},
		{"src/**", "SRC/a.go", true, false},
		{"*.env", "x.env", true, true},
		{"*.env", "sub/x.env", false, false},
		{"**/*.env", "sub/x.env", true, true},
		{"**/*.env", "x.env", true, true},
		{"./a", "a", true, true},
		{"a", "a/b", true, false},
		{"caf\u00e9", "cafe\u0301", true, false},
		{"stra\u00dfe", "STRASSE", true, false},
		{"*", "deep/down/below", true, true},
		{"{a,b}/*.go", "b/x.go", true, true},
		{"src/*", "src/a/b.go", true, false}, // a is meant, and b is in it
	} {
		m, err := parsePath(row.glob)
		require.NoError(t, err)
		require.Equal(t, row.wide, m.mightMatch(row.path) == yes, "%s denies %s", row.glob, row.path)
		require.Equal(t, row.grant, m.plainlyMatches(row.path), "%s allows %s", row.glob, row.path)
	}
	r := ruled(t, []string{"read(**/.env)"}, nil, nil)
	require.ErrorContains(t, r.Reading("sub/.ENV"), "read(**/.env)")
	require.NoError(t, r.Reading("sub/env"))
}

func TestAHostIsMatchedAtTheEdgesOfItsLabels(t *testing.T) {
	for _, row := range []struct {
		host, address string
		wide          answer
		grant         bool
	}{
		{"host:go.dev", "https://go.dev/x", yes, true},
		{"host:go.dev", "https://GO.dev.:8443/x", yes, true},
		{"host:go.dev", "https://pkg.go.dev/", yes, false},
		{"host:*.go.dev", "https://pkg.go.dev/", yes, true},
		{"host:*.go.dev", "https://go.dev/", no, false},
		{"host:go.dev", "https://evilgo.dev/", no, false},
		{"host:go.dev", "https://go.dev.evil.example/", no, false},
		{"host:go.dev", "https://evil.example/go.dev", no, false},
		{"host:go.dev", "https://go.dev@evil.example/", maybe, false},
		{"host:go.dev", "https://evil.example/?x=https://go.dev/", no, false},
		{"host:go.dev", "https://g\u043e.dev/", no, false}, // a letter of another alphabet
		{"host:go.dev", "://", maybe, false},
		{"host:::1", "http://[::1]:80/", yes, true},
		{"host:2001:DB8::1", "http://[2001:db8:0:0::0001]/", yes, true},
		{"host:192.0.2.7", "http://[::ffff:192.0.2.7]/", yes, true},
		{"host:M\u00fcnchen.de", "https://xn--mnchen-3ya.de/", yes, true}, // as fetch has it
		{"host:*.m\u00fcnchen.de", "https://www.m\u00fcnchen.de/", yes, true},
		{"*", "https://any.example/", yes, true},
		{"host:*", "https://any.example/", yes, true},
	} {
		m, err := parseHost(row.host)
		require.NoError(t, err)
		require.Equal(t, row.wide, m.mightMatch(row.address), "%s denies %s", row.host, row.address)
		require.Equal(t, row.grant, m.plainlyMatches(row.address), "%s allows %s", row.host, row.address)
	}
}

func TestAToolOfAServerIsMatchedByBothNames(t *testing.T) {
	r := ruled(t, []string{"mcp(git__push)"}, nil, []string{"mcp(git__*)", "mcp(mcp__web__get)", "mcp(a__b__get)"})
	for subject, want := range map[string]Decision{
		`git log {"a":"git__push"}`: Allow, `git push {}`: Deny, `GIT push {}`: Deny, `git push`: Deny, `web get {}`: Allow, `web put {}`: Ask,
		`other git__log {}`: Ask, `web get more {}`: Ask, `git__evil log {}`: Ask, `git_ log {}`: Ask, `a__b get {}`: Allow,
	} {
		got, _ := r.Decide(Default, agent.Effect{Kind: agent.EffectMCP, Subject: subject})
		require.Equal(t, want, got, subject)
	}
}

func TestRulesSurviveTheWayToAnotherProcess(t *testing.T) {
	r := ruled(t, []string{"shell(rm *)"}, []string{"fetch(*)"}, []string{"edit(src/**)"})
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var told Rules
	require.NoError(t, json.Unmarshal(text, &told))
	require.Equal(t, r, told)
	got, _ := told.Decide(Bypass, shellEffect("rm x"))
	require.Equal(t, Deny, got)
}
