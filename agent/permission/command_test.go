package permission

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rules of somebody who trusts their rules.
var trusting = []string{
	"shell(git status)", "shell(git log *)", "shell(git diff *)", "shell(git commit -m *)", "shell(go test *)", "shell(find *)", "shell(grep *)",
	"shell(rg *)", "shell(sort *)", "shell(tar *)", "shell(echo *)", "shell(ls *)", "shell(cat *)", "shell(npm run *)", "shell(printf *)",
	"shell(curl *)", "shell(python manage.py *)", "shell(cd sub)", "shell(make *)", "shell(tee *)", "shell(sed -n 1,20p x)", "shell(man *)",
}

func TestAnAllowedCommandIsPlainlyWhatTheRuleSays(t *testing.T) {
	r := ruled(t, nil, nil, trusting)
	for _, line := range []string{
		"git status", "  git   status  ", "git 'status'", `"git" status`, "git status # what is new", "git status && git log -3 --oneline",
		"git log | cat", "git status; git status", "git status\ngit log", "(git status)", "{ git status; git log; }", "! git status",
		"git status 2>&1", "git status 2>/dev/null", "git status >/dev/null 2>&1", "git status </dev/null", "go test ./... -run 'TestA|TestB' -count=1",
		"find . -name '*.go' -not -path './vendor/*'", `grep -rn "func main" .`, "git log -p HEAD~3", "git commit -m 'fix: it; all && of $it'",
		"git log stash@{0}", "python manage.py test --fast", "npm run build", "ls", "sed -n 1,20p x", "cd sub", "git diff HEAD~1 -- a.go", "git stat\\us", "gi\\\nt status",
	} {
		got, _ := r.Decide(Default, shellEffect(line))
		require.Equal(t, Allow, got, line)
	}
}

// Each row is one way in which something else would run, or be written, than the
// rule says. None may go ahead without a question.
func TestNothingElseRunsUnderAnAllowedCommand(t *testing.T) {
	r := ruled(t, nil, nil, trusting)
	for way, lines := range map[string][]string{
		"a separator":                      {"git status; touch x", "git status;touch x", "touch x; git status"},
		"a newline":                        {"git status\ntouch x", "git status\n\n\ttouch x"},
		"a carriage return":                {"git status\r\ntouch x", "git status\rtouch x"},
		"and":                              {"git status && touch x"},
		"or":                               {"git status || touch x"},
		"the background":                   {"git status & touch x", "git status &", "touch x & git status"},
		"a pipe":                           {"git log | sh", "git log |& tee x", "cat x | xargs touch"},
		"a write":                          {"git status > x", "git log >> x", "git log >| x", "git log &> x", "git log &>> x", "git log >& x", "git log <> x", "git log 3>x"},
		"a write by a name in a variable":  {"git log {fd}>x", "git log >$x", "git log >'/dev/null'/../x"},
		"text handed in":                   {"cat <<EOF\nx\nEOF", "cat <<< x", "cat < x", "cat <<-EOF\n\t$(touch x)\n\tEOF"},
		"a substitution":                   {"git log $(touch x)", "git log `touch x`", `git log "$(touch x)"`, "git log \"`touch x`\""},
		"a process substitution":           {"cat <(touch x)", "git log > >(touch x)"},
		"a parameter":                      {"git log $X", "git log ${X}", `git log "$X"`, "git $X", "$X status"},
		"a parameter that is worked out":   {"git log ${X@P}", "git log ${X:=`touch x`}", "git log ${!X}", "git log ${X/a/b}"},
		"arithmetic":                       {"git log $((a[$(touch x)]))", "git log $[1+1]", "((x=1))", "let x=1"},
		"quotes with escapes":              {"git log $'\\x24(touch x)'", "$'git' status", "git log $\"x\""},
		"a glob":                           {"git log *", "ls ?", "cat [ab]", "git log x*"},
		"a home":                           {"cat ~/x", "ls ~", "cat ~root/x"},
		"braces":                           {"git log {a,b}", "{git,status}", "echo {1..3}", `echo {"a",b}`, "echo {a,'b'}"},
		"a setting before it":              {"PATH=. git status", "LD_PRELOAD=x git status", "GIT_PAGER=x git log", "X=1 Y=2 git status", "GIT_SSH_COMMAND=x git log"},
		"a setting alone":                  {"X=1", "X=1; git status", "a=(1 2)"},
		"a program that runs others":       {"env git status", "xargs git status", "sudo git status", "nohup git status", "command git status", "builtin git status"},
		"a program that runs others, more": {"exec git status", "eval git status", "nice git status", "timeout 5 git status", "setsid git status", "stdbuf -o0 git status", "time git status"},
		"another shell":                    {"sh -c 'git status'", "bash -c 'git status'", ". x", "source x"},
		"find that runs or writes":         {"find . -exec touch x ';'", "find . -execdir touch x +", "find . -ok touch ';'", "find . -delete", "find . -fprint x", "find . -fls x"},
		"an option that runs":              {"git log --ext-diff", "git diff --ext-diff", "git diff --textconv", "rg --pre touch x", "rg --pre=touch x", "sort --compress-program=touch x", "man -P touch x", "man --pager=touch x"},
		"an option that runs, cut short":   {"git log --ext-d", "git diff --textc", "sort --compress=touch x"},
		"an option that writes":            {"git log --output=x", "git log --outp x", "git diff -ox", "sort -o x y", "sort -ro x y", "curl -o x y", "curl -sSo x y", "curl -O y", "tee x"},
		"an option of tar's":               {"tar -cf x y --checkpoint-action=exec=touch", "tar -I touch -xf x", "tar -xf x --to-command=touch", "tar -xf x"},
		"an option of go's":                {"go test -exec touch", "go test -exec=touch ./...", "go test --exec=touch", "go test -toolexec=touch", "go test -o x", "go test -coverprofile=x", "go test -test.coverprofile=x", "go test -C .."},
		"a variable set by printf":         {"printf -v PATH .", "printf -v 'a[$(touch x)]' y"},
		"settings of git's":                {"git -c core.fsmonitor=touch status", "git --exec-path=. status", "git --git-dir=x status", "git -C x status", "git --config-env=a=b status"},
		"a change of the folder":           {"cd sub && git status", "cd sub; git status", "pushd sub && git status", "(cd sub; git status)"},
		"a built-in that changes later":    {"export PATH=. && git status", "alias git=touch; git status", "unset x; git status", "shopt -s x; git status", "set -e; git status", "hash -p ./x git; git status", "trap touch EXIT; git status"},
		"a function":                       {"git() { touch x; }; git status", "function git { touch x; }; git status"},
		"a loop or a branch":               {"for x in a; do git status; done", "while git status; do touch x; done", "if git status; then touch x; fi", "case x in x) touch x;; esac"},
		"a test that works words out":      {"[[ -v a[$(touch x)] ]] && git status", "[ -v 'a[$(touch x)]' ]", "test -v x"},
		"a coprocess":                      {"coproc git status", "coproc { touch x; }"},
		"a look-alike":                     {"g\u0456t status", "git st\u0430tus", "git\u00a0status", "git status\u2028touch x", "git log \u202e x", "git log \u200b", "\uff47it status"},
		"another program of the name":      {"./git status", "/tmp/git status", "~/git status", "../git status", "GIT status"},
		"a continued line":                 {"git status \\\n; touch x"},
		"a language":                       {"sed -n 1,20p x -e w", "sed -i s/a/b/ x", "awk 'BEGIN{system(\"touch x\")}'", "python -c 'x'", "perl -e x"},
		"something else in a longer word":  {"git statusx", "git status x", "gitstatus", "git log;touch", "git -- status"},
		"another part of the program":      {"make -f x", "make -C x all", "npm --prefix x run y", "npm run --script-shell=x y"},
		"what is no command":               {"", " ", "#", "git status |", "git status &&", "git 'status", "git status )", "\"\" status", "git status\x00touch"},
		"something too long":               {"git log " + strings.Repeat("x", maxLine)},
		"something too deep":               {strings.Repeat("(", 3000) + "git status" + strings.Repeat(")", 2999)},
		"a letter that is none":            {"git log \xff", "git log \x1b[2J"},
	} {
		for _, line := range lines {
			got, _ := r.Decide(Default, shellEffect(line))
			require.Equal(t, Ask, got, "%s: %q", way, line)
		}
	}
}

// A repository that came with the folder runs its hooks for who pushes into it.
func TestAStarLeadsNoPushIntoAFolder(t *testing.T) {
	r := ruled(t, nil, nil, []string{"shell(git push *)", "shell(git remote *)"})
	for line, want := range map[string]Decision{
		"git push": Allow, "git push -f origin main": Allow, "git push --tags upstream": Allow, "git remote -v": Allow,
		"git push ./e HEAD:x": Ask, "git push e HEAD:x": Ask, "git push -u -f e": Ask, "git push /tmp/e": Ask, "git push -- e": Ask, "git push --repo=e": Ask, "git push --repo e": Ask, "git push file:///tmp/e": Ask,
		"git remote set-url origin e": Ask, "git remote add e ./e": Ask,
	} {
		got, _ := r.Decide(Default, shellEffect(line))
		require.Equal(t, want, got, line)
	}
	got, _ := ruled(t, nil, nil, []string{"shell(git push fork *)"}).Decide(Default, shellEffect("git push fork main"))
	require.Equal(t, Allow, got, "a remote that the rule names")
}

// A deny holds wherever the command stands, and what may be it is asked about even
// where nothing else is.
func TestADenialHoldsHoweverTheCommandIsDressed(t *testing.T) {
	r := ruled(t, []string{"shell(git push *)", "shell(rm *)"}, nil, []string{"shell(*)"})
	for _, line := range []string{
		"git push", "git push origin main", "git -C there push", "git --no-pager push", "git -c a=b push --force", "git --git-dir=x push", "/usr/bin/git push",
		`"git" 'push'`, `\git pu\sh`, "git status; git push", "git status && git push", "git log | git push", "git push &", "X=1 git push", "git push > x",
		"(git push)", "{ git push; }", "! git push", "time git push", "if true; then git push; fi", "for x in a; do git push; done", "f() { git push; }; f",
		"echo $(git push)", "echo `git push`", "cat <(git push)", "env A=b git push", "sudo -u x git push", "nohup git push", "timeout 5 git push",
		"command git push", "exec git push", "eval git push", "eval 'git push'", "sh -c 'git push'", "bash -lc \"cd x && git push\"", "xargs git push", "find . -exec git push ';'",
		"sh -c 'sh -c \"git push\"'", "rm x", "RM x", "/bin/rm x", "find . -exec rm {} +", "find . | xargs rm", "echo x | xargs -n1 rm -f", "trap 'rm x' EXIT", "busybox rm x",
		"case x in x) rm y;; esac", "coproc rm x", "cat <<EOF\n$(rm x)\nEOF", "rm", "export X; rm x", "ls; " + strings.Repeat("true; ", 500) + "rm x",
	} {
		got, _ := r.Decide(Bypass, shellEffect(line))
		require.Equal(t, Deny, got, line)
	}
	for _, line := range []string{
		"$X push", "git $X", "git pu$X", "${X} y", "$(echo rm) x", "/bin/r? x", "{rm,x}", "eval $X", "eval \"$X\"", "sh -c \"$X\"", "xargs git", "xargs", "git 'push", "echo (",
		"$'rm' x", "ls " + strings.Repeat("x", maxLine), "env " + strings.Repeat("x ", maxRunWords+1), "sh -c 'sh -c \"sh -c \\\"sh -c \\\\\\\"rm x\\\\\\\"\\\"\"'",
	} {
		got, _ := r.Decide(Bypass, shellEffect(line))
		require.NotEqual(t, Allow, got, line)
	}
	for _, line := range []string{"git status", "git log $X", "echo git push", "git commit -m push", "ls rm", "cat $(ls)", "grep -r 'git push' .", "echo \"rm x\""} {
		got, _ := r.Decide(Bypass, shellEffect(line))
		require.Equal(t, Allow, got, line)
	}
}

func TestARuleForEveryCommandHolds(t *testing.T) {
	for _, line := range []string{"ls", "git 'x", "$X", strings.Repeat("x", 2*maxLine)} {
		got, _ := ruled(t, []string{"shell(*)"}, nil, nil).Decide(Bypass, shellEffect(line))
		require.Equal(t, Deny, got)
		got, _ = ruled(t, nil, []string{"shell(*)"}, nil).Decide(Bypass, shellEffect(line))
		require.Equal(t, Ask, got)
	}
	r := ruled(t, nil, nil, []string{"shell(*)"})
	for line, want := range map[string]Decision{"ls -l": Allow, "ls; make": Allow, "sudo ls": Ask, "ls > x": Ask, "python x": Ask, "ls $X": Ask, "find . -delete": Ask} {
		got, _ := r.Decide(Default, shellEffect(line))
		require.Equal(t, want, got, line)
	}
}

// FuzzRule holds the reader of command lines to a second one, which knows nothing of
// grammar: what shell(git status) allows is git status and nothing else, once quotes,
// brackets and harmless redirections are taken away.
func FuzzRule(f *testing.F) {
	for _, seed := range []string{
		"git status", "git status; git 'status' 2>&1", "(git status) && { git \\status; } # x", "git status >/dev/null\n! git status | git status", "git status; touch x", "git sta{t,}us",
		"git status $(x)", "git status 2>x", "\"git\" status </dev/null", "g\\\nit status", "git status <<x\nx", "git status |& git status", "git status & git status",
	} {
		f.Add(seed)
	}
	r := ruled(f, nil, nil, []string{"shell(git status)"})
	denying := ruled(f, []string{"shell(touch *)"}, nil, []string{"shell(*)"})
	f.Fuzz(func(t *testing.T, line string) {
		if got, _ := r.Decide(Default, shellEffect(line)); got == Allow && !onlyGitStatus(line) {
			t.Fatalf("allowed: %q", line)
		}
		inHereDocument := strings.Contains(line, "<<")
		if got, _ := denying.Decide(Bypass, shellEffect(line+";\ntouch x")); got == Allow && !inHereDocument {
			t.Fatalf("not denied: %q", line)
		}
		if rule, err := ParseRule(line); err == nil {
			again, err := ParseRule(rule.String())
			if err != nil || again.String() != rule.String() {
				t.Fatalf("%q is read as %v, then as %v: %v", line, rule, again, err)
			}
		}
	})
}

// onlyGitStatus is the second reader.
func onlyGitStatus(line string) bool {
	clear := strings.NewReplacer("'", "", `"`, "", `\`, "")
	for _, l := range strings.Split(strings.ReplaceAll(line, "\\\n", ""), "\n") {
		l = clear.Replace(l)
		if i := strings.Index(" "+strings.ReplaceAll(strings.ReplaceAll(l, ";", " "), "\t", " "), " #"); i >= 0 {
			l = l[:i]
		}
		l = strings.NewReplacer("&&", ";", "||", ";", "|&", ";", "|", ";", "(", ";", ")", ";", "{", ";", "}", ";", "!", ";", "\t", " ").Replace(l)
		for _, part := range strings.Split(l, ";") {
			words := strings.Fields(part)
			var said []string
			for i := 0; i < len(words); i++ {
				if at := strings.IndexAny(words[i], "<>"); at >= 0 {
					if before := words[i][:at]; strings.Trim(before, "0123456789") != "" { // a word, and no descriptor
						said = append(said, before)
					}
					if strings.HasSuffix(words[i], ">") || strings.HasSuffix(words[i], "<") || strings.HasSuffix(words[i], "&") {
						i++ // its target is the next word
					}
					continue
				}
				said = append(said, words[i])
			}
			if text := strings.Join(said, " "); text != "" && text != "git status" {
				return false
			}
		}
	}
	return true
}

// What is allowed does to a real shell what it says: a shell whose only program
// writes down what it was called with.
func TestARealShellRunsOfAnAllowedLineWhatItSays(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	r := ruled(t, nil, nil, []string{"shell(git *)", "shell(echo *)"})
	for line, want := range map[string]string{
		`git 'a b' "c d" e\ f`:        "git:a b,c d,e f\n",
		`git "a\b" 'a\b' a\\b`:        `git:a\b,a\b,a\b` + "\n",
		`git log && git "x"'y'z`:      "git:log\ngit:xyz\n",
		"git log # git x\ngit y":      "git:log\ngit:y\n",
		`git a@{0} b~1 c^ -- d=e f!g`: "git:a@{0},b~1,c^,--,d=e,f!g\n",
		`git \$x "\$y" '$z'`:          "git:$x,$y,$z\n",
	} {
		got, _ := r.Decide(Default, shellEffect(line))
		require.Equal(t, Allow, got, line)
		cmd := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-c",
			`git() { local IFS=,; printf 'git:%s\n' "$*"; }`+"\n"+line)
		cmd.Env = []string{"PATH=/nowhere"}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, want, string(out), line)
		commands, plain := plainCommands(line)
		require.True(t, plain)
		var read strings.Builder
		for _, c := range commands {
			var words []string
			for _, w := range c[1:] {
				words = append(words, w.text)
			}
			read.WriteString("git:" + strings.Join(words, ",") + "\n")
		}
		require.Equal(t, want, read.String(), "the words are read as the shell reads them")
	}
}
