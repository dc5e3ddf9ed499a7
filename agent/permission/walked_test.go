package permission

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// spelled are ways to write the name of the denied program.
var spelled = []string{"victim", "vic''tim", `vic""tim`, `v\ictim`, `'victim'`, `$'vict\x69m'`, `$'\166ictim'`, "${e}victim", "$(echo victim)", "`echo victim`"}

// ways are templates of what runs a text, directly or after another expansion; %s is code,
// %q the same as one quoted word.
var ways = []string{
	"%s", "echo $(%s)", "echo `%s`", "echo \"$(%s)\"", "x=%q; eval \"$x\"", "x='$(%s)'; echo \"${x@P}\"", "x='`%s`'; : \"${x@P}\"", "PS4='$(%s)'; set -x; true", "PS4='`%s`'; set -x; :",
	"test -v 'a[$(%s)]'", "[ -v 'a[$(%s)]' ]", "[[ 'a[$(%s)]' -eq 0 ]]", "[[ -v 'a[$(%s)]' ]]", "let 'a[$(%s)]=1'", "printf -v 'a[$(%s)]' x", "unset 'a[$(%s)]'", "read 'a[$(%s)]' <<< x",
	"declare 'a[$(%s)]=1'", "typeset 'a[$(%s)]=1'", "declare -i x='a[$(%s)]'", "declare -n r='a[$(%s)]'; echo $r", "x='a[$(%s)]'; echo $((x))", "x='a[$(%s)]'; ((x))", "x='a[$(%s)]'; y=abc; echo ${y:x}",
	"x='a[$(%s)]'; echo ${!x}", "for x in 'a[$(%s)]'; do ((x)); done", "f() { echo $(($1)); }; f 'a[$(%s)]'", "read x <<< 'a[$(%s)]'; ((x))", "compgen -W '$(%s)'", "compgen -C %q", "trap %q EXIT", "trap %q DEBUG; :",
	"BASH_ENV='$(%s)' bash -c :", "env BASH_ENV='$(%s)' bash -c :", "PS4='$(%s)' bash -xc :", "bash -c %q", "sh -c %q", "echo %q | sh", "bash <<< %q", "bash <(echo %q)", "source <(echo %q)", ". /dev/stdin <<< %q",
	"env %s", "env -S %q", "env -iS %q", "nice %s", "timeout 5 %s", "nohup %s", "setsid -w %s", "stdbuf -o0 %s", "setarch -R %s", "linux64 %s", "flock . %s", "taskset 1 %s", "ionice %s", "chrt -b 0 %s", "xargs %s </dev/null",
	"echo x | xargs %s", "find . -maxdepth 0 -exec %s ';'", "command %s", "builtin command %s", "exec %s", "coproc %s; wait", "time %s", "{ %s; }", "if %s; then :; fi", "f() { %s; }; f", "cat <<EOF\n$(%s)\nEOF",
	"sed -n '1e '%q <<< x", "echo '1e '%q | sed -f - /dev/null", "printf '!%%s\\n' %q | ed -s", "printf 'all:\\n\\t@%%s\\n' %q | make -s -f -", "perl -e 'exec @ARGV' %s", "echo 'exec q(victim)' | perl",
	"hash -p \"$D/victim\" other; other", "shopt -s expand_aliases\nalias other=%q\nother", "cp \"$D/bin/victim\" here; ./here", "mapfile -C %q -c 1 a <<< x", "ssh-agent %s", "script -qc %q /dev/null", "echo `echo \\`%s\\``", "echo `echo \\$(%s)`",
	"x=$(printf 'a[\\44(victim)]'); ((x))", "echo ${x:-$(%s)}", "echo $((1 + $(%s)0))", "cat <(%s)", "eval eval %q", "xargs -I{} sh -c {} <<< %q",
	"w=%q; $w", "a=(%s); \"${a[@]}\"", "x=%q; sh -c \"$x\"", "set -- %s; \"$@\"", "bash --rcfile <(echo %q) -i -c :", "PROMPT_COMMAND=%q bash -i <<< ''", "[[ $(%s) ]]", "while %s; do break; done", "case $(%s) in x) ;; esac",
	"echo > >(%s)", "((a[$(%s)]))", "declare -A m; m[$(%s)]=1", "x=([$(%s)]=1)", "echo ${x[$(%s)]}", "tee >(%s) </dev/null", "echo %q > f; sh f", "echo %q > f; . ./f", "tee f <<< %q; bash f", "cat > f <<'EOF'\n%s\nEOF\nbash f",
	"echo %q > f; chmod +x f; ./f", "find . -maxdepth 0 -exec sh -c %q ';'", "echo %q | bash -s", ". <(echo %q)", "mapfile -t a <<< %q; ${a[0]}", "read -r a <<< %q; $a", "make -s -f <(printf 'all:\\n\\t@%%s\\n' %q)", "sed -f <(echo '1e '%q) <<< x",
	"sh -c 'eval \"$1\"' x %q", "bash -c '\"$@\"' x %s", "f() { \"$@\"; }; f %s", "wait -p 'a[$(%s)]' -n", "getopts x 'a[$(%s)]' -x", "export 'a[$(%s)]=1'", "readonly 'a[$(%s)]=1'", "x=1; x+='$(%s)'; echo ${x@P}", "printf '%%s' %q | xargs -0 sh -c",
	"env -i \"PATH=$PATH\" \"RECORD=$RECORD\" %s", "python3 -c 'import os,sys; os.system(sys.argv[1])' %q", "awk 'BEGIN{system(ARGV[1])}' %q", "echo %q | python3 -c 'import os; os.system(input())'", "perl -ne 'system $_' <<< %q", "awk '{system($0)}' <<< %q",
	"xargs -a <(echo %q) env", "unshare %s", "chroot / %s", "nsenter -t $$ %s", "choom -n 0 -- %s", "capsh -- -c %q", "setpriv %s", "logsave f %s", "run-parts --test . ; %s", "yes | head -1 | xargs -I{} %s", "git --exec-path=. x; %s",
}

// noises stand around, and do nothing.
var noises = []string{"%s", "true; %s", "%s; echo done", "%s || :", "x=1; %s", "echo $((1+1)); %s", "n=$(echo x | wc -l); echo $((n+1)); %s", "[ -d . ] && { %s; }", "for i in 1 2; do :; done; %s", "git commit -m 'use `x`' ; %s", "(%s)"}

// No line that the rules allow ever runs what a rule denies, in a real bash with the
// programs that are there.
func TestNoAllowedLineRunsWhatIsDenied(t *testing.T) {
	b := newBench(t, "bash", []string{"victim", "git"})
	require.NoError(t, os.Mkdir(b.programs+"/bin", 0o700))
	require.NoError(t, os.Symlink(b.programs+"/victim", b.programs+"/bin/victim"))
	r := ruled(t, []string{"shell(victim *)"}, nil, nil)
	ran := 0
	check := func(t require.TestingT, line string) {
		got, _ := r.Decide(Bypass, shellEffect(line))
		if got != Allow && ran > 60 { // the bench has shown that it sees
			return
		}
		if b.runs(t, line, "victim") {
			ran++
			require.NotEqual(t, Allow, got, "allowed, and runs what is denied: %q", line)
		}
	}
	for _, way := range ways {
		check(t, filled(way, "victim"))
	}
	rapid.Check(t, func(t *rapid.T) {
		line := filled(rapid.SampledFrom(ways).Draw(t, "way"), rapid.SampledFrom(spelled).Draw(t, "spelling"))
		if rapid.Bool().Draw(t, "twice") {
			line = filled(rapid.SampledFrom(ways).Draw(t, "outer way"), line)
		}
		check(t, strings.ReplaceAll(rapid.SampledFrom(noises).Draw(t, "noise"), "%s", line))
	})
	require.Greater(t, ran, 40, "most ways are ways")
}

// filled puts a command into a template.
func filled(way, code string) string {
	way = strings.ReplaceAll(way, "%q", "'"+strings.ReplaceAll(code, "'", `'\''`)+"'")
	return strings.ReplaceAll(strings.ReplaceAll(way, "%s", code), "%%", "%")
}

// runs says whether a line runs a program of the bench.
func (b bench) runs(t require.TestingT, line, program string) bool {
	require.NoError(t, os.WriteFile(b.record, nil, 0o600))
	cmd := exec.Command(b.shell, "-c", line)
	cmd.Dir, cmd.WaitDelay = b.folder, time.Second
	cmd.Env = []string{"PATH=" + b.programs + ":/usr/bin:/bin", "RECORD=" + b.record, "HOME=" + b.folder, "D=" + b.programs, "SHELL=/bin/sh"}
	_ = cmd.Run() // most of them fail
	record, err := os.ReadFile(b.record)
	require.NoError(t, err)
	return strings.Contains(string(record), program)
}
