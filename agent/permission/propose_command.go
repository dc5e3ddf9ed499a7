package permission

import (
	"slices"
	"strings"
)

// proposeCommands returns a rule text for each command of a line that no rule allows yet;
// nil if one of them has none.
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

// starSubcommands are those whose arguments are known well enough for a star: riskyOptions
// lists all that must not follow.
var starSubcommands = map[string]*names{
	"go":    set(`build fmt list test version vet`),
	"git":   set(`add commit log show status`),
	"cargo": set(`build check clippy fmt test tree`),
}

// proposeCommand returns the rule text for one command: its subcommand with a star if its
// arguments are harmless, else the exact command. A program that runs others or its input
// has none: next time the same command might do something else.
func proposeCommand(c command) (string, bool) {
	name := c[0].text
	if readsCode(c) || c.changesLater() {
		return "", false
	}
	if len(c) > 1 && starSubcommands[name].has(c[1].text) {
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

// inputDriven programs do what their input says, or write where they are told.
var inputDriven = set(`
	bc clojure cpio dc dd duckdb erl ftp ghci iex jshell lein lldb m4 mail mariadb mongosh mysql nc ncat
	netcat ocaml octave patch pax psql redis-cli sbt sendmail sftp socat sponge sqlcmd tee telnet utop`)

// readsCode reports whether what a command does may depend on more than its words: on its
// input, or on a program or settings that they name.
func readsCode(c command) bool {
	name := programName(c[0].text)
	switch {
	case languages.has(name):
		return !selfContained(name, c)
	case inputDriven.has(name), runners.has(name) && riskyOptions[name] == nil:
		return true
	}
	part := ""
	for i, w := range c[1:] {
		option := strings.HasPrefix(w.text, "-")
		if option && isRisky(c, i+1) && (!fileOptions.has(name) || strings.HasSuffix(w.text, "-")) {
			return true
		}
		if fileOptions.has(name) && (w.text == "-" || strings.HasPrefix(w.text, "@") || strings.HasPrefix(w.text, "/dev/")) {
			return true
		}
		if part == "" && !option {
			part = w.text
		}
	}
	return riskySubcommands[name].has(part) && !buildSubcommands[name].has(part) || name == "git" && (part == "apply" || part == "am") ||
		buildSubcommands[name].has(part) && strings.Contains(c.String(), "@")
}

// selfContained reports whether a language is told all it is to do: by a named script, a
// known module, or an inline program.
func selfContained(name string, c command) bool {
	if len(c) < 2 {
		return false
	}
	first := c[1].text
	switch {
	case scripts.has(name) && !strings.HasPrefix(first, "-"):
		return first != "" && !strings.HasPrefix(first, "/dev/")
	case scripts.has(name):
		return strings.HasPrefix(name, "python") && first == "-m" && len(c) > 2 && modules.has(c[2].text)
	}
	return filters.has(name) && !slices.ContainsFunc(c[1:], func(w word) bool {
		return isOption(w.text, "f") || isOption(w.text, "--file") || strings.HasPrefix(w.text, "/dev/")
	})
}

// modules of Python check or test what is in the folder.
var modules = set(`black mypy pytest ruff unittest`)

// filters take their program from an argument, and only process text.
var filters = set(`awk gawk mawk sed`)

// buildSubcommands run code of the folder, as its tests do.
var buildSubcommands = map[string]*names{"go": set(`generate run`), "cargo": set(`run`)}

// fileOptions are programs whose risky options name a file to write or read: a command
// that is allowed as it stands uses the same file again.
var fileOptions = set(`curl date gofmt grep printf sort tree uniq wget`)

func (c command) String() string {
	var words []string
	for _, w := range c {
		words = append(words, w.text)
	}
	return strings.Join(words, " ")
}

// quoted writes a word so that the shell and a rule read it literally.
func quoted(text string, program bool) (string, bool) {
	plain := plainLetters + "_-./:@%+,="
	if program { // an = in the first word would make it an assignment
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
