package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// In a worktree of its own a run changes files and commits in every mode but plan, and
// nothing else; the user's rules and what is protected go before that.
func TestInItsOwnWorktreeARunEditsAndCommitsWithoutAQuestion(t *testing.T) {
	edit := func(path string) agent.Effect { return agent.Effect{Kind: agent.EffectEdit, Subject: path} }
	free := []agent.Effect{edit("calc.go"), edit("a/b.go")}
	for _, line := range []string{
		`git add -A`, `git add .`, `git add -u -- a b`, `git add calc.go 'a b.go'`, `git commit -m done`, `git commit -am 'all of it'`,
		`git add -A && git commit -m "one; two"`, `git commit -qm x -- calc.go`, `git commit --message=x --no-verify`, `git commit --message x -a`,
		`git commit -amx`, `git status`, `git add -A && git commit -qm x && git status -sb`, "git add -A\ngit commit -m x", `git commit -m a -m b -- -p`,
	} {
		free = append(free, agent.Effect{Kind: agent.EffectShell, Subject: line})
	}
	asked := []agent.Effect{
		edit(".git/config"), edit("x/.git"), edit(".pawl/config.toml"), edit(".mcp.json"), edit(".claude/agents/x.md"),
		{Kind: agent.EffectEdit, Subject: "calc.go", AlwaysAsk: "it has hard links"},
		{Kind: agent.EffectFetch, Subject: "https://go.dev"},
		{Kind: agent.EffectMCP, Subject: "s__t"},
		{Kind: "teleport"},
	}
	for _, line := range []string{
		`git`, `git commit`, `git status -v --show-stash`, `git status --porcelain=v2`, `git log`, `git commit -a`, `git commit -m`, `git commit -m ''`, `git commit -am " "`,
		`git add -p`, `git add -i`, `git add -e .`, `git add -f x`, `git add --pathspec-from-file=x`, `git add --chmod=+x a`, `git add -`, `git add --al`,
		`git commit -F msg`, `git commit -F - `, `git commit -c HEAD`, `git commit -C HEAD`, `git commit -t x -m y`, `git commit -S -m x`, `git commit -vm x`,
		`git commit --amend -m x`, `git commit --fixup=HEAD`, `git commit --author=x -m y`, `git commit --trailer=x:y -m z`, `git commit -m x --template=y`,
		`git commit -eam x`, `git commit --mess x`, `git commit -m x -e`, `git commit --no-verify=x -m y`,
		`git -C /tmp add x`, `git -c core.hooksPath=h commit -m x`, `git --git-dir=x add y`, `git push`, `git checkout main`, `git merge x`, `git stash`, `git rm x`,
		`/tmp/git add x`, `./git add x`, `Git add x`, `sudo git add x`, `env git add x`, `GIT_DIR=x git add y`, `git add $X`, `git add *`, `git add ~/x`,
		"git commit -m \"$(cat <<'E'\nx\nE\n)\"", "git commit -m `id`", `git commit -m x > out`, `git commit -m x &`, `git add x; rm -rf y`,
		`cd /tmp && git add x`, `git add x | tee y`, `export GIT_DIR=x; git add y`, `if true; then git add x; fi`, `git() { rm x; }; git add x`,
	} {
		asked = append(asked, agent.Effect{Kind: agent.EffectShell, Subject: line})
	}
	own := Rules{Own: true}
	for _, mode := range Modes() {
		for _, effect := range free {
			want := Allow
			if mode == Plan {
				want = Deny
			}
			got, _ := own.Decide(mode, effect)
			require.Equal(t, want, got, "%s in %s", effect.Subject, mode)
			got, _ = Rules{}.Decide(Default, effect)
			require.Equal(t, Ask, got, "%s elsewhere", effect.Subject)
		}
	}
	for _, effect := range asked {
		got, _ := own.Decide(Default, effect)
		require.Equal(t, Ask, got, effect.Subject)
	}
	commit, file := agent.Effect{Kind: agent.EffectShell, Subject: "git commit -m x"}, edit("calc.go")
	denying := Rules{Own: true, Deny: []Rule{ruleOf(t, "shell(git commit *)"), ruleOf(t, "edit(*.go)")}}
	asking := Rules{Own: true, Ask: []AskRule{{ruleOf(t, "shell(git *)")}, {ruleOf(t, "edit(**)")}}}
	for _, effect := range []agent.Effect{commit, file} {
		got, _ := denying.Decide(Bypass, effect)
		require.Equal(t, Deny, got)
		got, _ = asking.Decide(Bypass, effect)
		require.Equal(t, Ask, got)
	}
	tested := Rules{Own: true, Allow: []AllowRule{{ruleOf(t, "shell(go test *)")}}}
	got, _ := tested.Decide(Default, agent.Effect{Kind: agent.EffectShell, Subject: "go test ./... && git commit -am x"})
	require.Equal(t, Ask, got, "what else runs there would take the worktree for its own repository")
}

func ruleOf(t *testing.T, text string) Rule {
	t.Helper()
	rule, err := ParseRule(text)
	require.NoError(t, err)
	return rule
}
