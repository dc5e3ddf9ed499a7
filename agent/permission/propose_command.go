package permission

import (
	"slices"
	"strings"
)

// proposeCommands is a rule for each command of a line that none allows yet; nothing
// where one of them has none.
func (r Rules) proposeCommands(line string) []string {
	commands, plain := plainCommands(line)
	if !plain {
		return nil
	}
	var wanted []string
	for _, c := range commands {
		if r.allowCommand(c) {
			continue
		}
		inner, ok := proposeCommand(c)
		if !ok {
			return nil
		}
		if !slices.Contains(wanted, inner) {
			wanted = append(wanted, inner)
		}
	}
	return wanted
}

// starSubcommands are the programs whose further words are known well enough for a star, after
// which of their parts: what risky says of them is all that is not to follow.
var starSubcommands = map[string]map[string]bool{
	"go":    set(`build fmt list test version vet`),
	"git":   set(`add commit log show status`),
	"cargo": set(`build check clippy fmt test tree`),
}

// proposeCommand is the rule for one command: its part with any words where those are
// harmless, else the whole command as it stands. A program that runs others, or that
// does what it reads, has no rule: the next time it is the same command and does
// something else.
func proposeCommand(c command) (string, bool) {
	name := c[0].text
	if readsCode(c) || c.changesLater() {
		return "", false
	}
	if len(c) > 1 && starSubcommands[name][c[1].text] {
		p := commandPattern{words: []wordPattern{{name}, {c[1].text}}, rest: true}
		if p.neverAllows() == nil && p.covers(c) {
			return name + " " + c[1].text + " *", true
		}
	}
	var words []string
	for i, w := range c {
		quoted, ok := quoted(w.text, i == 0)
		if !ok {
			return "", false
		}
		words = append(words, quoted)
	}
	return strings.Join(words, " "), true
}

// inputDriven do what they are told by what they read, or put it where they are told.
var inputDriven = set(`
	bc clojure cpio dc dd duckdb erl ftp ghci iex jshell lein lldb m4 mail mariadb mongosh mysql nc ncat
	netcat ocaml octave patch pax psql redis-cli sbt sendmail sftp socat sponge sqlcmd tee telnet utop`)

// readsCode says whether what a command does may come from elsewhere than its words:
// from what it reads, or from a program or a setting that these name.
func readsCode(c command) bool {
	name := programName(c[0].text)
	switch {
	case languages[name]:
		return !selfContained(name, c)
	case inputDriven[name], runners[name] && riskyOptions[name] == nil:
		return true
	}
	part := ""
	for i, w := range c[1:] {
		option := strings.HasPrefix(w.text, "-")
		if option && isRisky(c, i+1) && (!fileOptions[name] || strings.HasSuffix(w.text, "-")) {
			return true
		}
		if fileOptions[name] && (w.text == "-" || strings.HasPrefix(w.text, "@") || strings.HasPrefix(w.text, "/dev/")) {
			return true
		}
		if part == "" && !option {
			part = w.text
		}
	}
	return riskySubcommands[name][part] && !buildSubcommands[name][part] || name == "git" && (part == "apply" || part == "am") ||
		buildSubcommands[name][part] && strings.Contains(c.String(), "@")
}

// selfContained says whether a language is told all it is to do: by a script that is named,
// a module that is known, or a line in its words.
func selfContained(name string, c command) bool {
	if len(c) < 2 {
		return false
	}
	first := c[1].text
	switch {
	case scripts[name] && !strings.HasPrefix(first, "-"):
		return first != "" && !strings.HasPrefix(first, "/dev/")
	case scripts[name]:
		return strings.HasPrefix(name, "python") && first == "-m" && len(c) > 2 && modules[c[2].text]
	}
	return filters[name] && !slices.ContainsFunc(c[1:], func(w word) bool {
		return isOption(w.text, "f") || isOption(w.text, "--file") || strings.HasPrefix(w.text, "/dev/")
	})
}

// modules of Python look at, or test, what stands in the folder.
var modules = set(`black mypy pytest ruff unittest`)

// filters are told what to do by a word, and read nothing but text.
var filters = set(`awk gawk mawk sed`)

// buildSubcommands are parts that run what stands in the folder, as its tests do.
var buildSubcommands = map[string]map[string]bool{"go": set(`generate run`), "cargo": set(`run`)}

// fileOptions are programs whose risky options say which file is written or read: a
// command that is allowed as it stands does that to the same file again.
var fileOptions = set(`curl date gofmt grep printf sort tree uniq wget`)

func (c command) String() string {
	var words []string
	for _, w := range c {
		words = append(words, w.text)
	}
	return strings.Join(words, " ")
}

// quoted writes a word so that the shell, and a rule, read it as itself.
func quoted(text string, program bool) (string, bool) {
	plain := plainLetters + "_-./:@%+,="
	if program { // an = there is an assignment
		plain = strings.TrimSuffix(plain, "=")
	}
	switch {
	case text != "" && strings.Trim(text, plain) == "":
		return text, true
	case !strings.Contains(text, "'"):
		return "'" + text + "'", true
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"` + text + `"`, true
	}
	return "", false
}
