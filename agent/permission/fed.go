package permission

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// feedsCode reports whether a line feeds text to a program that executes it, so that
// nobody can tell what will run.
func (p commandPattern) feedsCode(line string, file *syntax.File) bool {
	feeding := feeds(file)
	return anyNode(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok {
			return false
		}
		c := commandOf(call)
		switch {
		case len(c) == 0 || !c[0].known:
			return false
		case slices.ContainsFunc(c.tails(), command.runsFiles) && slices.ContainsFunc(call.Args[1:], isProcessSubstitution):
			return true
		case !feeding:
			return false
		case slices.ContainsFunc(c.tails(), command.runsInput), slices.ContainsFunc(c.tails(), command.inlineMayRunInput):
			return true
		}
		return !runsOthers(c[0]) && !inert(programName(c[0].text)) && p.namedIn(line) // in no table: it may be such a program
	})
}

// feeds reports whether any command of a line gets input from the line.
func feeds(file *syntax.File) bool {
	return anyNode(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.BinaryCmd:
			return node.Op == syntax.Pipe || node.Op == syntax.PipeAll
		case *syntax.Redirect:
			switch node.Op {
			case syntax.RdrIn, syntax.RdrInOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
				return wordOf(node.Word).text != "/dev/null"
			default:
			}
		}
		return false
	})
}

// isProcessSubstitution reports whether a word has a process substitution in it.
func isProcessSubstitution(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		_, ok := part.(*syntax.ProcSubst)
		return ok
	})
}

// runsFiles reports whether a program runs what a file says.
func (c command) runsFiles() bool {
	name := programName(c[0].text)
	return languages.has(name) || shells.has(name) || inputDriven.has(name) || inputShells.has(name) || buildTools.has(name)
}

// inputShells run their input, in a shell for example, if no argument says what to run.
var inputShells = set(`
	at batch busybox capsh chroot crontab cscript debugfs doas ftp gdb i386 lftp linux32 linux64 machinectl mailx newgrp nsenter
	racket rlogin rsh sbcl screen script setarch sg sqlite3 ssh su sudo swipl telnet tmux toybox uname26 unshare wscript x86_64`)

// buildTools run what a file says that an option names.
var buildTools = set(`ansible-playbook ant bmake cmake gmake gradle just make meson ninja rake remake`)

// runsInput reports whether a command runs its input.
func (c command) runsInput() bool {
	name := programName(c[0].text)
	if !c.runsFiles() {
		return false
	}
	rest := c[1:]
	if slices.ContainsFunc(rest, isInput) {
		return true
	}
	switch {
	case filters.has(name), buildTools.has(name), harmlessInput.has(name):
		return false // they only process it, unless an option says otherwise
	case scripts.has(name):
		return !slices.ContainsFunc(rest, func(w word) bool { return !w.known || !strings.HasPrefix(w.text, "-") || holdsProgram(w.text) })
	case inputShells.has(name):
		return name != "sudo" && name != "doas" ||
			!slices.ContainsFunc(rest, func(w word) bool { return w.known && w.text != "" && !strings.HasPrefix(w.text, "-") })
	}
	return !slices.ContainsFunc(rest, func(w word) bool { return holdsProgram(w.text) && (w.text == "--version" || w.text == "--help") })
}

// inlineMayRunInput reports whether a language's inline program may run its input as a
// program. One that imports json and calls nothing unsafe only takes data apart.
func (c command) inlineMayRunInput() bool {
	return c.inlineRunsOthers() && !slices.ContainsFunc(c[1:], func(w word) bool {
		return strings.HasPrefix(w.text, "import json") && !unsafeCalls().MatchString(w.text)
	})
}

var unsafeCalls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("system|exec|popen|spawn|process|eval|open|__|os|getattr|`")
})

// harmlessInput are programs that act on their input but start no other program because of it.
var harmlessInput = set(`bc bunx cpio dd nc ncat netcat npx patch pax pipx pnpx redis-cli sendmail socat tee uvx`)

// isInput reports whether a word is standard input, or an option with it as its value.
func isInput(w word) bool {
	_, value, _ := strings.Cut(w.text, "=")
	for _, text := range []string{w.text, value} {
		if text == "-" || strings.HasPrefix(text, "/dev/") && text != "/dev/null" || strings.HasPrefix(text, "/proc/") {
			return true
		}
	}
	return strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") &&
		(strings.HasSuffix(w.text, "-") || strings.Contains(w.text, "/dev/") && !strings.HasSuffix(w.text, "/dev/null"))
}

// holdsProgram reports whether an option of a language holds its program, or just makes it
// print help or its version.
func holdsProgram(option string) bool {
	switch option {
	case "--version", "--help", "-V", "-h", "-v", "--eval", "--print":
		return true
	}
	return strings.HasPrefix(option, "-c") || strings.HasPrefix(option, "-e") || strings.HasPrefix(option, "-m") || strings.HasPrefix(option, "-E") ||
		strings.HasPrefix(option, "-n") && strings.Contains(option, "e") || strings.HasPrefix(option, "-p") || strings.HasPrefix(option, "-r")
}
