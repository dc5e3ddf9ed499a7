package permission

import (
	"math/rand/v2"
	"strings"
)

// nasty writes lines out of all that shells and the parser are known to read in more
// than one way. Half of a line is honest, so that much of it is allowed.
type nasty struct{ *rand.Rand }

func (n nasty) pick(of []string) string { return of[n.IntN(len(of))] }

// often is true once in so many times.
func (n nasty) once(in int) bool { return n.IntN(in) == 0 }

var (
	nastyPrograms = []string{"ls", "ls", "ls", "cat", "cat", "echo", "rm"}
	nastyWords    = []string{
		"a", "b", "-l", "x.go", "'a b'", `"a b"`, `a\ b`, "''", `""`, "a#b", "#a", `\#a`, "'#'", `"#"`, "''#", "1", "2", "10", "a=b", "=", "rm", "ls", "'rm x'", "`", "$", "$x", "${x}",
		`"$"`, `"a$"`, `"$ a"`, "a$", "$%", "$.", "$=", "$'a'", `$'a\''`, `$'\x41'`, `$"a"`, "{", "}", "{}", "a{b", "a}", "{a}", "{a,b}", "@{0}", "!", "!a", "a!", "[", "]", "[[", "]]", "^a", "a^", "~", "a~", "%1", "a:b",
		"-", "--", "é", "あ", "Ё", "'à'", `"あ\"`, `"あ`, "+", "in", "do", "done", "then", "fi", "esac", "case", "if", "for", "time", "function", "coproc", "select", "while",
		"*", "?", `\*`, `'*'`, `a\`, `\`, `\\`, `"\\"`, `"\"`, `'\'`, `"\a"`, `"\$x"`, "a'b'c", `a"b"c`, `a"b'c"d`, `'a"b'`, "a,b", "..", "/dev/null", "&", "(", ")", "<", ">", "E", "'", `"`,
		`"$(rm x)"`, "$(rm x)", "`rm x`", `"$(ls '` + "`" + `')"`, "$((1+2))", "$(( (1) ))", "$((ls) )", "$[1]", "<(ls)", ">(ls)", "${x:-a}", "${x#a}", `${x:-"a}"}`, "${#x}", "$#", "a$#", "$$", "[a]", "a[1]=b", "x+=y", "x=y",
		"`ls '` ; rm x ; `' `", `$'\'; rm x; #'`, "'a\nb'", "\"a\nb\"", "\"a\\\nb\"", "a\\\nb", "'a\\\nb'", "$\\\n(rm x)", "\"$\\\n(rm x)\"", "\"\\\n$\\\nx\"", "#\\\nrm", "é\\\n", "a\\b", `\\\a`, `\'a`, `\"a`,
	}
	nastyJoints = []string{
		"; ", ";", " && ", "&&", " || ", "||", " | ", "|", "\n", "\n\n", " # c\n", "#c\n", " # c\\\n", "# \\\n", " # `\n", " # '\n", " # \"\n", " # $(\n", " # <<E\n", " #\n", ";#\n", "|#\n", "&& # c\n", " # c \\\\\n", " # \\\r\n", "#a\r\n",
		" &\n", " & ", "&", " |& ", "|&", " &>/dev/null ", "&>", ";;", ";&", " \\\n", "\\\n", "\\\n;", ";\\\n", "&\\\n&", "|\\\n|", "|\\\n", "||\\\n ", ">\\\n", " \\\n# c\n", "\\\n#c\n", " \\\n\\\n ", "\r\n", "\r", "\x00", "\f", "\v", "\u00a0", "\u2028", "\xff", "\xe3\x81",
	}
	nastyRedirects = []string{
		" 2>&1", ">/dev/null", " >/dev/null", " </dev/null", "2>/dev/null", " 1>&2", " >&2", ">& 2", " 2 >&1", " 10>/dev/null", " 3>/dev/null", " 2>&-", " <&-", " >&10", " >'/dev/null'", ` >"/dev/null"`, ` >/dev/nul\l`, " >/dev/null#a", " >/dev/null # c",
		" '2'>&1", ` \2>&1`, "a2>&1", " {fd}>/dev/null", " <<E\nrm x\nE\n", " <<'E'\nrm x\nE\n", " <<\\E\n$(rm x)\nE\n", " <<E\n$(rm x)\nE\n", " <<-E\n\trm x\n\tE\n", " <<E\nrm x\\\nE\n", " <<E\n`rm x`\nE\n", " <<<x", " <<< 'rm x'", " <<E; rm x\nE\n", " <<E 'a\nb'\nE\n", " <<E\\\nF\nrm\nEF\n", " <<\"E F\"\nrm x\nE F\n", " <<E\nE \nrm x\nE\n", " <<E <<F\nrm\nE\nrm\nF\n", " <<$E\nrm x\n$E\n", " <<E\n$(cat <<F\nE\nF\n)\nE\n", " <<E # '\nrm\nE\n", " <<E", " <<E\nrm x",
	}
	nastyFrames = [][2]string{
		{"(", ")"},
		{"( ", " )"},
		{"{ ", "; }"},
		{"{ ", "\n}"},
		{"! ", ""},
		{"((", "))"},
		{"( (", ") )"},
		{"{", "}"},
		{"!", ""},
		{"time ", ""},
		{"coproc ", ""},
		{"if ls; then ", "; fi"},
		{"for x in a; do ", "; done"},
		{"case x in x) ", ";; esac"},
		{"case rm in (rm) ", ";; *) ;; esac"},
		{"f() { ", "; }; f"},
		{"function f { ", "; }; f"},
		{"echo $(", ")"},
		{"echo \"$(", ")\""},
		{"echo `", "`"},
		{"echo \"`", "`\""},
		{"[[ a || ", " ]]"},
		{"[[ a == ", " ]]"},
		{"eval '", "'"},
		{"eval \"", "\""},
		{"", " # "},
		{"# ", "\n"},
		{"# \\\n", ""},
		{"a=(", ")"},
		{"x=a ", ""},
		{"!(", ")"},
		{"$( (", ") )"},
		{"$((", "))"},
		{"until ls; do ", "; done"},
		{": '", "'"},
		{": \"", "\""},
		{"", "\\"},
		{"", "\\\n"},
		{" \\\n", ""},
		{"", "#"},
		{"\\\n# ", "\nls"},
		{"echo $(ls # ", "\n)"},
		{"echo $(case x in x) ", ";; esac)"},
		{"echo $(cat <<E\n", "\nE\n)"},
		{"cat <<E\n", "\nE\n"},
		{"cat <<'E'\n", "\nE\n"},
		{"cat <<E\n$(", ")\nE\n"},
	}
	honestWords   = []string{"a", "-l", "'a b'", `"a b"`, `a\ b`, "x.go", "'rm x'", "a#b", "'é'", "a=b"}
	honestJoints  = []string{"; ", " && ", " || ", " | ", "\n", " # c\n", " \\\n "}
	honestFrames  = [][2]string{{"(", ")"}, {"{ ", "; }"}, {"! ", ""}}
	nastyBytes    = "\\\n#'\"`$(){}[]<>|&;! \t=~*?a2\r"
	honestReaches = []string{" 2>&1", " >/dev/null", " </dev/null"}
)

// command is a program, its words and what becomes of its output.
func (n nasty) command() string {
	var b strings.Builder
	b.WriteString(n.pick(nastyPrograms))
	for range n.IntN(4) {
		b.WriteString(" ")
		b.WriteString(n.either(honestWords, nastyWords))
	}
	if n.once(6) {
		b.WriteString(n.either(honestReaches, nastyRedirects))
	}
	return b.String()
}

func (n nasty) either(honest, nasty []string) string {
	if n.once(4) {
		return n.pick(nasty)
	}
	return n.pick(honest)
}

// line is some commands, in brackets perhaps, and one of three has a byte too many, too
// few or elsewhere.
func (n nasty) line() string {
	var b strings.Builder
	for i := range 1 + n.IntN(3) {
		if i > 0 {
			b.WriteString(n.either(honestJoints, nastyJoints))
		}
		command := n.command()
		for n.once(5) {
			frame := honestFrames[n.IntN(len(honestFrames))]
			if n.once(2) {
				frame = nastyFrames[n.IntN(len(nastyFrames))]
			}
			command = frame[0] + command + frame[1]
		}
		b.WriteString(command)
	}
	line := b.String()
	for n.once(3) {
		line = n.damaged(line)
	}
	return line
}

func (n nasty) damaged(line string) string {
	at := n.IntN(len(line) + 1)
	switch piece := string(nastyBytes[n.IntN(len(nastyBytes))]); {
	case n.once(3):
		return line[:at] + n.pick(nastyJoints) + line[at:]
	case n.once(3) && at < len(line):
		return line[:at] + line[at+1:]
	default:
		return line[:at] + piece + line[at:]
	}
}
