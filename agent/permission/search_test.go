package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestOnlyARuleAllowsSearches(t *testing.T) {
	all := &agent.WebSearch{}
	hosts := func(names ...string) *agent.WebSearch { return &agent.WebSearch{Allowed: names} }
	for name, row := range map[string]struct {
		deny, allow []string
		mode        Mode
		want        *agent.WebSearch
	}{
		"no rule":                          {nil, nil, Default, nil},
		"no rule, and nothing asks":        {nil, nil, Bypass, nil},
		"another rule":                     {nil, []string{"fetch(*)", "fetch(host:go.dev)"}, Default, nil},
		"all of it":                        {nil, []string{"search(*)"}, Default, all},
		"all of it, by host":               {nil, []string{"search(host:*)"}, Default, all},
		"all of it, but plan mode":         {nil, []string{"search(*)"}, Plan, nil},
		"some hosts":                       {nil, []string{"search(host:Go.dev)", "search(host:pkg.go.dev)"}, Default, hosts("go.dev", "pkg.go.dev")},
		"all and a host":                   {nil, []string{"search(host:go.dev)", "search(*)"}, Default, all},
		"denied":                           {[]string{"search(*)"}, []string{"search(*)"}, Bypass, nil},
		"a host denied":                    {[]string{"search(host:evil.example)"}, []string{"search(*)"}, Default, &agent.WebSearch{Blocked: []string{"evil.example"}}},
		"a denied host among allowed ones": {[]string{"search(host:go.dev)"}, []string{"search(host:go.dev)", "search(host:a.example)"}, Default, hosts("a.example")},
		"one below an allowed one":         {[]string{"search(host:x.go.dev)"}, []string{"search(host:go.dev)"}, Default, nil},
		"one above an allowed one":         {[]string{"search(host:go.dev)"}, []string{"search(host:x.go.dev)"}, Default, nil},
	} {
		var r Rules
		for _, text := range row.deny {
			rule, err := ParseRule(text)
			require.NoError(t, err)
			r.Deny = append(r.Deny, rule)
		}
		for _, text := range row.allow {
			var rule AllowRule
			require.NoError(t, rule.UnmarshalText([]byte(text)))
			r.Allow = append(r.Allow, rule)
		}
		require.Equal(t, row.want, r.Search(row.mode), name)
	}
}

func TestARuleAboutSearchesThatMeansNothingIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"search(go.dev)": "write search(host:go.dev)", "search(host:*.go.dev)": "covers those below it", "search(host:a/b)": "write search(host:go.dev)",
	} {
		_, err := ParseRule(text)
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, new(AskRule).UnmarshalText([]byte("search(*)")), "cannot be asked about")
}

func TestANarrowingLeavesSearchesToThoseThatNameThem(t *testing.T) {
	for _, row := range []struct {
		texts []string
		want  bool
	}{{nil, true}, {[]string{}, false}, {[]string{"shell(ls)"}, false}, {[]string{"search(*)"}, true}} {
		n, err := ParseNarrowing(row.texts)
		require.NoError(t, err)
		require.Equal(t, row.want, n.Search(), row.texts)
	}
}
