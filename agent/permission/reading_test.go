package permission

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// ground is a folder without links, that is a checkout.
func ground() Workdir {
	return Workdir{Checkout: func() bool { return true }, Foreign: func(string) bool { return true }, Locate: func(name string) (string, bool) {
		name = path.Clean(name)
		return name, !strings.HasPrefix(name, "/") && name != ".." && !strings.HasPrefix(name, "../")
	}}
}

func TestCommandsThatOnlyReadAreKnown(t *testing.T) {
	for _, line := range []string{
		"ls", "ls -la", "ls -lah src", "pwd", "cat main.go", "cat -n a b", "head -20 x", "head -n 20 x", "tail -50 x", "tail -n +10 x", "wc -l x", "wc -l a b | sort -rn | head -5",
		"git status", "git status --short", "git status -sb", "git diff", "git diff --stat main...HEAD", "git diff --cached -- a.go", "git --no-pager diff HEAD~1", "git log --oneline -20",
		"git log -p -3 -- main.go", "git log --format='%h %an %s' --since='2 weeks ago'", "git show HEAD", "git show --stat HEAD~2", "git show HEAD:main.go", "git blame -L 1,20 main.go",
		"git branch", "git branch -a", "git branch -vv", "git branch --show-current", "git branch --contains HEAD", "git tag", "git tag -l 'v1*'", "git remote -v", "git stash list", "git rev-parse --abbrev-ref HEAD",
		"git ls-files", "git ls-files -o --exclude-standard", "git reflog", "git worktree list", "git merge-base main HEAD", "git describe --tags --always", "git cat-file -p HEAD",
		"grep -rn foo .", "grep -rnE 'a|b' --include='*.go' src", "grep -c '/etc/x' main.go", "grep -A 3 foo x", "rg -n foo", "rg --files", "rg -t go 'func main' agent", "find . -name '*.go' -type f",
		"find . -maxdepth 2 -not -path './vendor/*'", "sed -n 1,20p x", "sed -n '5,$p' x", "sort -u x | uniq -c", "ls | cat - x", "ls | grep -c x -", "ls | uniq -c -", "cut -d: -f1 x", "du -sh .", "stat x", "file x", "tree -L 2", "jq -r '.a[]' x.json",
		"echo done", "echo -- -x", "git log --stat -- a b", "git branch --list --sort=-committerdate 'a*'", "tree -L2 src", "date +%F", "test -d x", "ls 2>/dev/null", "git status && git diff", "(ls; pwd)", "which go", "uname -a", "true",
	} {
		if !(Rules{}).Reads(shellEffect(line), ground()) {
			t.Errorf("asks: %q", line)
		}
	}
}

// Each row is a way in which a command that begins like one that reads does something else.
func TestWhatDoesMoreThanReadIsNotTakenForReading(t *testing.T) {
	for _, line := range []string{
		"", "#", "ls > x", "ls >> x", "cat < x", "cat <<EOF\nx\nEOF", "ls $X", "ls $(touch x)", "ls `touch x`", "cat <(ls)", "X=1 ls", "PATH=. ls", "$X", "ls &", "ls *", "ls ~", "cat {a,b}", "ls; touch x", "ls | tee x", "ls | sh",
		"for x in a; do ls; done", "if ls; then pwd; fi", "f() { ls; }; f", "time ls", "exec ls", "command ls", "env ls", "xargs ls", "eval ls", "./ls", "/tmp/ls", "/bin/ls", "LS", "cd sub && ls", "cd ..", "coproc ls", "! ls &",
		"cat /etc/passwd", "cat ../x", "cat a/../../x", "head -n 5 /etc/passwd", "ls /", "ls ..", "grep -e x /etc/passwd", "grep -rex /etc/passwd", "grep --regexp=x /etc/passwd", "grep x /etc/passwd", "grep -f /etc/passwd x", "grep -R x .", "rg --files /etc",
		"rg --pre x y", "rg -f x", "rg -L x", "rg -z x", "rg --follow x", "rg --hostname-bin=x y", "find / -name x", "find . -exec x", "find . -delete", "find . -fprint x", "find -L .", "find . -files0-from x", "fd -x rm", "sort -o x y", "sort --compress-program=x y",
		"sort --files0-from=x", "sort -T x y", "uniq x y", "uniq - x", "grep - /etc/passwd", "jq - /etc/passwd", "uniq -c - x", "date -", "wc --files0-from=x", "tail -f x", "tail --follow x", "tree -o x", "file -C", "file -m x y", "date -s x", "date 01010000", "sed -n 1p -i x", "sed -i s/a/b/ x", "sed -n '1w x' y", "sed -n '1e x' y", "sed 1p x",
		"sed -n 1,20p /etc/passwd", "awk '{print}' x", "jq 'import \"x\" as $x; .' y", "jq -n env", "jq -f x y", "printf -v x y", "ls --hyperlink-x", "du --files0-from=x", "stat /etc/passwd",
		"git", "git -C .. status", "git -c a=b status", "git --git-dir=x status", "git commit -m x", "git add .", "git push", "git fetch", "git pull", "git diff --output=x", "git diff --outp=x", "git diff -ox", "git diff --ext-diff", "git diff --textconv",
		"git diff --no-index a b", "git diff /etc/passwd /dev/null", "git log --show-signature", "git log --format=%G?", "git log --pretty=format:%GK", "git show --format '%G?' HEAD", "git branch new", "git branch -D x", "git branch -m x", "git branch -v new",
		"git branch -a new", "git tag v1", "git tag -d v1", "git tag -v v1", "git remote add x y", "git remote show origin", "git remote update", "git stash", "git stash pop", "git stash -p", "git stash drop", "git reflog expire --all", "git reflog delete x",
		"git worktree add x", "git worktree prune", "git config --list", "git grep -n foo", "git grep -O x", "git grep -f x", "git grep --open-files-in-pager=x y", "git cat-file --textconv x", "git cat-file --batch", "git cat-file --filters x", "git checkout x", "git submodule status",
		"git ls-remote", "git bisect log", "git archive HEAD", "git gc", "git status --no-such", "git help status", "git status -h", "git x", "git blame --contents /etc/passwd x", "git for-each-ref --format='%(signature)'", "git --exec-path=. status", "git -p log",
		"go version", "go list ./...", "npm ls", "make -n", "python3 x", "less x", "man ls", "vim x", "env", "printenv", "ps aux", "kill 1", "rm x", "touch x", "cp a b", "mv a b", "mkdir x", "tee x", "dd if=x", "diff -r a b", "readlink /x", "cat 'a\n/etc/passwd'", "git diff -- '/etc/passwd'",
		"git grep -e -- -O./x", "git grep -e -- --open-files-in-pager=./x", "rg -e -- --pre=./x .", "rg -g -- --pre=./x y", "fd -e -- -x./x", "git log -L -- --output=x", "git log --author -- --output=x", "git blame -L -- --contents=x y",
		"find -- . -delete", "find . -not -name -- -delete", "find . -name x -- -exec y", "sort -t -- -ox y", "du --exclude -- --files0-from=x", "grep -e -- -f/etc/passwd x", "sed -n 1p -- -i", "date -- 01010000", "git diff --stat -- -Ox", "git cat-file -p -- --textconv",
		"tree -Lo 2 x", "tree -L2o x", "tree -Po y x", "tree -Io y x", "tree -P -- -o x", "strings @x", "jq '\"x\"|modulemeta'", "git branch --format --list new", "git branch --sort --list new", "git branch --list --format -- -D main", "git branch -- --list new",
		"git tag --format -l v1", "git tag --sort --list v1", "git tag -l --format -- -d v1", "git log --format='%+GG'", "git log --format='%-G?'", "git show --pretty='% G?'", "git branch --list --sort=-signature", "git for-each-ref --sort signature:key",
	} {
		if (Rules{}).Reads(shellEffect(line), ground()) {
			t.Errorf("reads: %q", line)
		}
	}
	require.False(t, Rules{}.Reads(agent.Effect{Kind: agent.EffectEdit, Subject: "ls"}, ground()))
	require.False(t, Rules{}.Reads(agent.Effect{Kind: agent.EffectShell, Subject: "ls", AlwaysAsk: "x"}, ground()))
	bare := ground()
	bare.Checkout = func() bool { return false }
	require.False(t, Rules{}.Reads(shellEffect("git status"), bare), "a git folder of a file tool's making")
	require.True(t, Rules{}.Reads(shellEffect("ls"), bare))
	own := ground()
	own.Foreign = func(name string) bool { return name != "git" }
	require.False(t, Rules{}.Reads(shellEffect("ls && git status"), own), "a git of the folder's making")
}

func TestADenyOrAnAskRuleGoesBeforeReading(t *testing.T) {
	require.False(t, ruled(t, []string{"shell(cat *)"}, nil, nil).Reads(shellEffect("cat x"), ground()))
	require.False(t, ruled(t, nil, []string{"shell(git log *)"}, nil).Reads(shellEffect("git log"), ground()))
	require.False(t, ruled(t, nil, []string{"shell(*)"}, nil).Reads(shellEffect("ls"), ground()))
	secret := ruled(t, []string{"read(**/.env)"}, nil, nil)
	for line, want := range map[string]bool{
		"cat .env": false, "cat sub/.ENV": false, "head -n 1 ./sub/.env": false, "wc -l .env": false, "cat x": true, "ls -la": true, "grep -rn x .": false, "git diff": false, "git show HEAD:.env": false,
		"git log": false, "rg x": false, "git status": true, "find . -name .env": false, "find . -type f": true, "sed -n 1p .env": false, "cat x .env": false,
	} {
		require.Equal(t, want, secret.Reads(shellEffect(line), ground()), line)
	}
}
