package grants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// A yes for a tool was given without a thought of what is asked about for its own sake:
// that is asked about each time, until it is that very subject that was allowed.
func TestAYesForAToolIsNoneToWhatIsAskedAboutForItsOwnSake(t *testing.T) {
	plain := lifecycle.Question{Tool: "write", Subject: "a.go", Run: "r"}
	delicate := lifecycle.Question{Tool: "write", Subject: ".git/hooks/x", Run: "r", AlwaysAsk: "it can run programs", Each: true}
	hooked := lifecycle.Question{Tool: "write", Subject: "a.go", Run: "r", Why: "sure?", Each: true}
	for _, row := range []struct {
		grant                   lifecycle.StandingGrant
		plain, delicate, hooked bool
	}{
		{lifecycle.StandingGrant{Tool: "write", All: true}, true, false, false},
		{lifecycle.StandingGrant{Tool: "write", All: true, Run: "r"}, true, false, false},
		{lifecycle.StandingGrant{Tool: "write", All: true, Run: "another"}, false, false, false},
		{lifecycle.StandingGrant{Tool: "write", Subject: ".git/hooks/x"}, false, true, false},
		{lifecycle.StandingGrant{Tool: "edit", Subject: ".git/hooks/x"}, false, false, false},
		{lifecycle.StandingGrant{Tool: "write", Subject: "a.go"}, true, false, false},
		{lifecycle.StandingGrant{Tool: "write", Subject: "a.go", Why: "sure?"}, true, false, true},
		{lifecycle.StandingGrant{Tool: "write", Subject: "a.go", Why: "it holds a password"}, true, false, false},
	} {
		held := []lifecycle.StandingGrant{{Tool: "fetch", All: true}, row.grant}
		require.Equal(t, row.plain, Policy{}.Reaches(held, plain), "%+v", row.grant)
		require.Equal(t, row.delicate, Policy{}.Reaches(held, delicate), "%+v", row.grant)
		require.Equal(t, row.hooked, Policy{}.Reaches(held, hooked), "%+v", row.grant)
	}
	require.False(t, Policy{}.Reaches(nil, plain))
}

func TestAnAnswerLeavesNoMoreThanItSays(t *testing.T) {
	q := lifecycle.Question{Session: "s", Run: "r", Tool: "shell", Subject: "ls", Why: "sure?", Rules: []string{"shell(ls)"}}
	type stands = lifecycle.StandingGrant
	for name, row := range map[string]struct {
		scope, recorded lifecycle.GrantScope
		no, each        bool
		stands          []stands
	}{
		"once":                       {scope: lifecycle.GrantOnce, recorded: lifecycle.GrantOnce},
		"without a word of it":       {},
		"for always, the rules say":  {scope: lifecycle.GrantAlways, recorded: lifecycle.GrantAlways},
		"for the run":                {scope: lifecycle.GrantRun, recorded: lifecycle.GrantRun, stands: []stands{{Session: "s", Run: "r", Tool: "shell", All: true}}},
		"for the session":            {scope: lifecycle.GrantSession, recorded: lifecycle.GrantSession, stands: []stands{{Session: "s", Tool: "shell", All: true}}},
		"what was denied before":     {scope: lifecycle.GrantDenied, recorded: lifecycle.GrantDenied, stands: []stands{{Session: "s", Tool: "shell", Subject: "ls", Why: "sure?"}}},
		"the same, and guarded":      {scope: lifecycle.GrantDenied, recorded: lifecycle.GrantDenied, each: true, stands: []stands{{Session: "s", Tool: "shell", Subject: "ls", Why: "sure?"}}},
		"the run, of what is each":   {scope: lifecycle.GrantRun, recorded: lifecycle.GrantOnce, each: true},
		"the session, of the same":   {scope: lifecycle.GrantSession, recorded: lifecycle.GrantOnce, each: true},
		"a no for the whole session": {scope: lifecycle.GrantSession, recorded: lifecycle.GrantSession, no: true},
	} {
		q.Each = row.each
		answer, left := Policy{}.Settle(q, lifecycle.Answer{Allow: !row.no, Scope: row.scope, By: "person", Reason: "why"})
		require.Equal(t, lifecycle.Answer{Allow: !row.no, Scope: row.recorded, By: "person", Reason: "why"}, answer, name)
		require.Equal(t, row.stands, left, name)
	}
}
