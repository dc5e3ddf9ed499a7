package permission

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// feedsCode says whether a line gives a text to a program that runs text, so that nobody can
// tell what it will run.
func (p commandPattern) feedsCode(line string, file *syntax.File) bool {
	feeding, found := feeds(file), false
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok || found {
			return !found
		}
		c := commandOf(call)
		if len(c) == 0 || !c[0].known {
			return true
		}
		name := programName(c[0].text)
		switch {
		case slices.ContainsFunc(c.tails(), command.runsFiles) && slices.ContainsFunc(call.Args[1:], isProcessSubstitution):
			found = true
		case !feeding:
		case slices.ContainsFunc(c.tails(), command.runsInput), slices.ContainsFunc(c.tails(), command.inlineMayRunInput):
			found = true
		default: // of no table: it may be one of these
			found = !runsOthers(c[0]) && !inert(name) && p.namedIn(line)
		}
		return !found
	})
	return found
}

// feeds says whether any command of a line is handed a text.
func feeds(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.BinaryCmd:
			found = found || node.Op == syntax.Pipe || node.Op == syntax.PipeAll
		case *syntax.Redirect:
			switch node.Op {
			case syntax.RdrIn, syntax.RdrInOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
				found = found || wordOf(node.Word).text != "/dev/null"
			default:
			}
		}
		return !found
	})
	return found
}

// isProcessSubstitution says whether a word is a file that a substituted process writes.
func isProcessSubstitution(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(part syntax.WordPart) bool {
		_, ok := part.(*syntax.ProcSubst)
		return ok
	})
}

// runsFiles says whether a program runs what a file says.
func (c command) runsFiles() bool {
	name := programName(c[0].text)
	return languages[name] || shells[name] || inputDriven[name] || inputShells[name] || buildTools[name]
}

// inputShells are programs that do what their input says where no word says it, a shell among
// them.
var inputShells = set(`
	at batch busybox capsh chroot crontab cscript debugfs doas ftp gdb i386 lftp linux32 linux64 machinectl mailx newgrp nsenter
	racket rlogin rsh sbcl screen script setarch sg sqlite3 ssh su sudo swipl telnet tmux toybox uname26 unshare wscript x86_64`)

// buildTools do what a file says that an option names.
var buildTools = set(`ansible-playbook ant bmake cmake gmake gradle just make meson ninja rake remake`)

// runsInput says whether a command runs what it is fed.
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
	case filters[name], buildTools[name], harmlessInput[name]:
		return false // they work on it, where no option says else
	case scripts[name]:
		return !slices.ContainsFunc(rest, func(w word) bool { return !w.known || !strings.HasPrefix(w.text, "-") || holdsProgram(w.text) })
	case inputShells[name]:
		return !slices.ContainsFunc(rest, func(w word) bool { return w.known && programLike(w.text) }) || name != "sudo" && name != "doas"
	}
	return !slices.ContainsFunc(rest, func(w word) bool { return holdsProgram(w.text) && (w.text == "--version" || w.text == "--help") })
}

// inlineMayRunInput says whether a language is told to run others, with what it is fed it may be.
func (c command) inlineMayRunInput() bool {
	return c.inlineRunsOthers() && !slices.ContainsFunc(c[1:], func(w word) bool { return harmlessImports(w.text) })
}

// harmlessImports says whether a program of one line does nothing but take data apart.
func harmlessImports(text string) bool {
	return strings.HasPrefix(text, "import json") && !unsafeCalls.MatchString(text)
}

var unsafeCalls = regexp.MustCompile("system|exec|popen|spawn|process|eval|open|__|os|getattr|`")

// harmlessInput are programs that obey what they read, and run no other by it.
var harmlessInput = set(`bc bunx cpio dd nc ncat netcat npx patch pax pipx pnpx redis-cli sendmail socat tee uvx`)

// programLike says whether a word may be what sudo runs.
func programLike(text string) bool { return text != "" && !strings.HasPrefix(text, "-") }

// isInput says whether a word is the standard input, or an option with it.
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

// holdsProgram says whether an option of a language holds its program, or makes it
// tell of itself alone.
func holdsProgram(option string) bool {
	switch option {
	case "--version", "--help", "-V", "-h", "-v", "--eval", "--print":
		return true
	}
	return strings.HasPrefix(option, "-c") || strings.HasPrefix(option, "-e") || strings.HasPrefix(option, "-m") || strings.HasPrefix(option, "-E") ||
		strings.HasPrefix(option, "-n") && strings.Contains(option, "e") || strings.HasPrefix(option, "-p") || strings.HasPrefix(option, "-r")
}
