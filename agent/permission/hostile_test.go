package permission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// The rules of somebody who allows much and denies two things.
var (
	muchAllowed = []string{
		"shell(git status)", "shell(git log *)", "shell(git diff *)", "shell(git show *)", "shell(git grep *)", "shell(git branch *)", "shell(git add *)",
		"shell(git commit -m *)", "shell(git config *)", "shell(git bisect *)", "shell(git submodule *)", "shell(git fetch *)", "shell(git clone *)",
		"shell(git archive *)", "shell(git * --stat)", "shell(go test *)", "shell(go build *)", "shell(go vet *)", "shell(go run ./cmd/x *)", "shell(npm run *)",
		"shell(npm *)", "shell(pnpm *)", "shell(cargo *)", "shell(find *)", "shell(fd *)", "shell(rg *)", "shell(grep *)", "shell(sort *)", "shell(uniq *)", "shell(tar *)",
		"shell(echo *)", "shell(printf *)", "shell(ls *)", "shell(cat *)", "shell(head *)", "shell(wc *)", "shell(jq *)", "shell(yq *)", "shell(curl *)",
		"shell(wget *)", "shell(man *)", "shell(less *)", "shell(make *)", "shell(rsync *)", "shell(tree *)", "shell(date *)", "shell(python manage.py *)",
		"shell(rm build/*)", "shell(cd sub)", "shell(tee *)", "shell(gofmt *)", "shell(uv run pytest *)", "shell(docker compose ps *)", "shell(sed -n 1,20p x)",
		"shell(gh *)", "shell(true)", "shell(test -f x)", "shell(pytest *)", "shell(dd *)", "shell(bat *)", "shell(install *)", "shell(scp *)",
	}
	littleDenied = []string{"shell(git push *)", "shell(shutdown *)"}
)

// What must happen with a line: allow, without a question; ask, where nothing else
// allows it; deny, in every mode; hold, which is a question in every mode, for it may
// be what is denied.
const (
	allow = "allow"
	ask   = "ask"
	deny  = "deny"
	hold  = "hold"
)

type hostileRow struct{ want, why, line string }

func TestEachLineOfTheTableGetsWhatItMust(t *testing.T) {
	r := ruled(t, littleDenied, nil, muchAllowed)
	wants := map[string]struct {
		mode Mode
		want Decision
	}{allow: {Default, Allow}, ask: {Default, Ask}, deny: {Bypass, Deny}, hold: {Bypass, Ask}}
	seen, hostile, honest := map[string]bool{}, 0, 0
	for _, row := range lineTable() {
		got, _ := r.Decide(wants[row.want].mode, shellEffect(row.line))
		if got != wants[row.want].want {
			t.Errorf("%s: %q: %v, not %s", row.why, row.line, got, row.want)
		}
		require.False(t, seen[row.line], "twice: %q", row.line)
		seen[row.line] = true
		if row.want == allow {
			honest++
		} else {
			hostile++
		}
	}
	soaktest.Tried(t, hostile, "hostile command lines of known classes")
	soaktest.Tried(t, honest, "everyday command lines beside them")
	require.GreaterOrEqual(t, hostile, 150)
	require.GreaterOrEqual(t, honest, 40)
}

// A denied command is never allowed, whatever line of the table it is joined to and
// however.
func TestADenialHoldsBesideEveryLineOfTheTable(t *testing.T) {
	r := ruled(t, littleDenied, nil, append([]string{"shell(*)"}, muchAllowed...))
	for _, row := range lineTable() {
		for _, joint := range joints() {
			line := fmt.Sprintf(joint, "git push --force", row.line)
			got, _ := r.Decide(Bypass, shellEffect(line))
			require.NotEqual(t, Allow, got, "%q", line)
		}
	}
	soaktest.Tried(t, len(lineTable())*len(joints()), "denied commands beside a line of the table")
	long := strings.Repeat("git status && ", 60) + "shutdown now"
	got, reason := r.Decide(Bypass, shellEffect(long))
	require.Equal(t, Deny, got)
	require.Contains(t, reason, "shell(shutdown *)")
}

// joints put the first command before, or into, the second, so that no quote or
// document of the second can swallow it.
func joints() []string {
	return []string{"%s; %s", "%s && %s", "%s || %s", "%s | %s", "%s & %s", "%s\n%s", "echo $(%s); %s", "(%s); %s", "{ %s; }; %s", "! %s\n%s", "X=1 %s; %s", "%s >x 2>&1\n%s"}
}

// lineTable is all that the tests of this file and the next know of command lines.
func lineTable() (all []hostileRow) {
	for _, rows := range [][]hostileRow{honestLines, grammarLines, programLines, deniedLines, walkedLines} {
		all = append(all, rows...)
	}
	return append(all,
		hostileRow{allow, "sixty commands, all allowed", strings.Repeat("git status && ", 59) + "git status"},
		hostileRow{ask, "sixty commands, the last of which is not", strings.Repeat("git status && ", 60) + "touch x"},
		hostileRow{ask, "a line of more than 16 kB", "git log " + strings.Repeat("x", maxLine)},
		hostileRow{hold, "a line of more than 16 kB may be anything", "ls " + strings.Repeat("x", maxLine)},
		hostileRow{ask, "brackets 3,000 deep", strings.Repeat("(", 3000) + "git status" + strings.Repeat(")", 3000)},
	)
}

// honestLines are what people allow rules for. A real shell runs each of them in
// TestARealShellRunsNothingButTheListedPrograms.
var honestLines = []hostileRow{
	{allow, "plain", "git status"},
	{allow, "more blanks", "  git \t status  "},
	{allow, "an option", "git log --oneline -20"},
	{allow, "a format with signs", "git log --format='%h %an %s (%ar)'"},
	{allow, "a range", "git diff main..HEAD -- agent/permission"},
	{allow, "an ancestor", "git show HEAD~2^:go.mod"},
	{allow, "the reflog", "git log stash@{0}"},
	{allow, "searched words", `git grep -n "func main"`},
	{allow, "deleting a branch under git branch *", "git branch -D old"},
	{allow, "a message with signs in it", `git commit -m 'fix: a; b && c | d > e $(f) # g'`},
	{allow, "a message of two lines", "git commit -m 'one\n\ntwo'"},
	{allow, "a setting that is read", "git config --get user.name"},
	{allow, "all settings that are read", "git config --list --show-origin"},
	{allow, "a bisection", "git bisect good HEAD"},
	{allow, "submodules", "git submodule status"},
	{allow, "a star in the middle", "git log --stat"},
	{allow, "two, one after the other", "git status; git log -1"},
	{allow, "and", "git status && go test ./..."},
	{allow, "or", "go vet ./... || echo bad"},
	{allow, "lines", "git status\ngit log -1\n"},
	{allow, "a pipe", "git log --oneline | head -5"},
	{allow, "a longer pipe", "grep -rn TODO . | sort | uniq | wc -l"},
	{allow, "brackets", "(git status; git log -1) | head"},
	{allow, "braces", "{ git status; git log -1; }"},
	{allow, "not", "! git diff --quiet"},
	{allow, "errors with the output", "go test ./... 2>&1 | head -50"},
	{allow, "errors away", "ls x 2>/dev/null"},
	{allow, "all away", "go build ./... >/dev/null 2>&1"},
	{allow, "no input", "cat </dev/null"},
	{allow, "a comment", "git status # what is new"},
	{allow, "a comment of its own", "# first\ngit status"},
	{allow, "a number sign in a word", "git log a#b"},
	{allow, "single quotes", "'git' 'status'"},
	{allow, "double quotes", `"git" "status"`},
	{allow, "quotes inside a word", `g"i"t st'atu's`},
	{allow, "a backslash", `\git st\atus`},
	{allow, "a line that goes on", "git \\\n  status"},
	{allow, "a regular expression", `go test ./... -run 'TestA|TestB$' -count=1`},
	{allow, "names in quotes", "find . -name '*.go' -not -path './vendor/*'"},
	{allow, "a backslash before a star", `find . -name \*.go`},
	{allow, "a printed line", `printf '%s\n' one two`},
	{allow, "a filter", `jq '.items[] | select(.a > 1) | {b}' x.json`},
	{allow, "a query", "yq .a.b x.yaml"},
	{allow, "an address", "curl -sSL 'https://go.dev/VERSION?m=text'"},
	{allow, "a script by its name", "python manage.py test --fast"},
	{allow, "what is run, by its name", "uv run pytest -q"},
	{allow, "a part of a master", "docker compose ps --all"},
	{allow, "the program that is run", "go run ./cmd/x -v"},
	{allow, "a file of the folder that the star is about", "rm build/out.o"},
	{allow, "scripts of the project", "npm run build -- --watch=false"},
	{allow, "the folder alone", "cd sub"},
	{allow, "a look into an archive", "tar -tzf x.tar.gz"},
	{allow, "the same, as of old", "tar tzf x.tar.gz"},
	{allow, "targets", "make -j4 test"},
	{allow, "cargo", "cargo test --all -- --nocapture"},
	{allow, "a built-in without effect", "true && git status"},
	{allow, "letters of other alphabets in quotes", "git commit -m 'grüße, мир 世界 🎉'"},
	{allow, "a brace that is none", "git log --format={}"},
	{allow, "an exclamation mark", "echo wow! done"},
	{allow, "a caret and an equals sign", "echo a^b c=d e:f"},
	{allow, "a whole command as it stands in the rule", "sed -n 1,20p x"},
	{allow, "a pattern for rg", "rg -n --glob '!vendor' 'a|b' agent"},
	{allow, "pull requests", "gh pr view 12 --json title"},
}

// What permissions.sandboxed = "allow" may run without a question is what no rule speaks about: a
// question without a reason. No line that is, or might be, what a rule denies is among them.
func TestNoHostileLineIsOneThatNoRuleSpeaksAbout(t *testing.T) {
	r := ruled(t, littleDenied, nil, muchAllowed)
	unspoken := func(line string) bool {
		decision, reason := r.Decide(Default, shellEffect(line))
		return decision == Ask && reason == ""
	}
	lines := 0
	try := func(line string) {
		lines++
		require.False(t, unspoken(line), "%q", line)
	}
	for _, row := range lineTable() {
		if row.want == deny || row.want == hold {
			try(row.line)
		}
		for _, joint := range joints() {
			try(fmt.Sprintf(joint, "git push --force", row.line))
		}
	}
	require.True(t, unspoken("npx vitest"), "others are")
	t.Logf("hostile lines that run without a question: 0 of %d", lines)
}
