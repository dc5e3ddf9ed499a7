package grants

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// desk is a user's rules as they stand, and what programs of theirs say.
type desk struct {
	rules permission.Rules
	mode  permission.Mode
	kept  []permission.AllowRule
	err   error
	said  *agent.HookResult // nil: there are no hooks
	asked int               // times that they were
}

func (d *desk) policy() Policy {
	today := func() (permission.Rules, permission.Mode) {
		all := d.rules
		all.Allow = append(all.Allow[:len(all.Allow):len(all.Allow)], d.kept...)
		return all, d.mode
	}
	bounds := Bounds{
		Today: today,
		Permit: func(e agent.Effect) agent.Decision {
			rules, mode := today()
			decision, _ := rules.Decide(mode, e)
			return agent.Decision{Allow: decision == permission.Allow}
		},
		Propose: func(e agent.Effect) []permission.AllowRule {
			rules, mode := today()
			return rules.Propose(mode, e)
		},
		Exposed: func(e agent.Effect) bool { return e.Subject == "./exposed" },
	}
	return Policy{
		Bounds: func(lifecycle.Run) (Bounds, error) {
			if d.said != nil {
				bounds.Hooks = func(context.Context, agent.HookInput) agent.HookResult { d.asked++; return *d.said }
			}
			return bounds, d.err
		},
		Add: func(rules []permission.AllowRule) error { d.kept = append(d.kept, rules...); return nil },
	}
}

func allowed(t *testing.T, text string) (rule permission.AllowRule) {
	t.Helper()
	require.NoError(t, rule.UnmarshalText([]byte(text)))
	return rule
}

func shell(line string) lifecycle.Question {
	return lifecycle.Question{Tool: "shell", Effect: string(agent.EffectShell), Subject: line}
}

func TestHooksAnswerWhatRulesAndGrantsLeaveOpenAndNoPersonMustSay(t *testing.T) {
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	yes, no := agent.HookResult{Decision: agent.HookAllow}, agent.HookResult{Decision: agent.HookDeny, Reason: "not today"}
	byHook := lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "hook"}
	failed := agent.HookResult{Warnings: []string{"it failed"}}
	wanted := shell("ls")
	wanted.Why = "sure?"
	delicate := lifecycle.Question{Tool: "write", Effect: string(agent.EffectEdit), Subject: "a", AlwaysAsk: "hard links"}
	settled := func(a lifecycle.Answer) lifecycle.Advice { return lifecycle.Advice{Answer: a, Settled: true} }
	for name, row := range map[string]struct {
		said  *agent.HookResult
		q     lifecycle.Question
		held  []lifecycle.StandingGrant
		mode  permission.Mode
		want  lifecycle.Advice
		asked int
	}{
		"there are none":                        {q: shell("ls")},
		"they say yes":                          {said: &yes, q: shell("ls"), want: settled(byHook), asked: 1},
		"they say no":                           {said: &no, q: shell("ls"), want: settled(lifecycle.Answer{By: "hook", Reason: "not today"}), asked: 1},
		"they say nothing":                      {said: &agent.HookResult{}, q: shell("ls"), asked: 1},
		"they fail":                             {said: &failed, q: shell("ls"), want: lifecycle.Advice{Warnings: failed.Warnings}, asked: 1},
		"a hook wanted a person":                {said: &yes, q: wanted, want: lifecycle.Advice{Each: true}, asked: 1},
		"and another says no":                   {said: &no, q: wanted, want: lifecycle.Advice{Each: true, Settled: true, Answer: lifecycle.Answer{By: "hook", Reason: "not today"}}, asked: 1},
		"a rule may deny it":                    {said: &yes, q: shell("$X y"), want: lifecycle.Advice{Each: true}, asked: 1},
		"it is in plan mode by now":             {said: &yes, q: shell("ls"), mode: permission.Plan, asked: 1},
		"it is delicate":                        {said: &yes, q: delicate, want: lifecycle.Advice{Each: true}, asked: 1},
		"nothing confines it":                   {said: &yes, q: shell("./exposed"), asked: 1},
		"a rule has said yes":                   {said: &no, q: shell("make"), want: settled(lifecycle.Answer{Allow: true, By: "rule"})},
		"a grant has":                           {said: &no, q: shell("ls"), held: []lifecycle.StandingGrant{{Tool: "shell", All: true}}},
		"rules know no such effect, nor bypass": {q: lifecycle.Question{Tool: "odd", Subject: "x"}, mode: permission.Bypass},
	} {
		d := &desk{rules: permission.Rules{Deny: []permission.Rule{deny}, Allow: []permission.AllowRule{allowed(t, "shell(make)")}}, mode: row.mode, said: row.said}
		require.Equal(t, row.want, d.policy().Consider(t.Context(), lifecycle.Run{}, row.q, row.held), name)
		require.Equal(t, row.asked, d.asked, name)
	}
}

// What a type that is gone would bind a run to nobody knows.
func TestWhereNobodyCanTellWhatBindsARunAPersonIsAskedEachTime(t *testing.T) {
	gone := errors.New("its type no longer exists")
	d := &desk{mode: permission.Bypass, said: &agent.HookResult{Decision: agent.HookAllow}, err: gone}
	require.Equal(t, lifecycle.Advice{Each: true}, d.policy().Consider(t.Context(), lifecycle.Run{}, shell("ls"), nil))
	require.Zero(t, d.asked)
	require.False(t, d.policy().Covers(lifecycle.Run{}, shell("ls")))
	require.ErrorIs(t, d.policy().Keep(lifecycle.Run{}, shell("ls")), gone)
}

func TestRulesThatAreKeptAreThoseThatTheQuestionNamed(t *testing.T) {
	d := &desk{}
	p := d.policy()
	q := shell("go test ./...")
	bounds, err := p.Bounds(lifecycle.Run{})
	require.NoError(t, err)
	for _, rule := range bounds.Propose(effectOf(q)) {
		q.Rules = append(q.Rules, rule.String())
	}
	require.NotEmpty(t, q.Rules)
	require.False(t, p.Covers(lifecycle.Run{}, q))
	other := q
	other.Rules = []string{"shell(*)"}
	require.ErrorIs(t, p.Keep(lifecycle.Run{}, other), errOtherRules)
	d.mode = permission.Plan
	require.ErrorIs(t, p.Keep(lifecycle.Run{}, q), errOtherRules, "nothing that it would allow is proposed today")
	require.Empty(t, d.kept)
	d.mode = permission.Default
	require.NoError(t, p.Keep(lifecycle.Run{}, q))
	require.True(t, p.Covers(lifecycle.Run{}, q))
	hooked := q
	hooked.Why = "sure?"
	require.False(t, p.Covers(lifecycle.Run{}, hooked), "a hook's question no rule answers")
}
