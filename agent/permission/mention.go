package permission

import (
	"path"
	"slices"
	"strings"
)

// mentioned reports whether a program that is not known to be harmless has the command
// among its arguments: it may run it, as linux64 and ssh-agent do.
func (p commandPattern) mentioned(c command, depth int) bool {
	name := c[0]
	if !name.known || runsOthers(name) || inert(programName(name.text)) && !c.runsSubcommand() {
		return false
	}
	if len(c) > maxRunWords {
		return true
	}
	for i, w := range c[1:] {
		if w.known && (p.mayBe(c[1+i:]) != no || strings.ContainsAny(w.text, blanksAndSigns) && p.namedIn(w.text) ||
			slices.ContainsFunc(lines(w), func(line string) bool { return p.inLine(line, depth-1) == yes })) {
			return true
		}
	}
	return false
}

// renamed reports whether a command gives the program of the rule another name: an alias,
// a hashed path, a link or a copy.
func (p commandPattern) renamed(c command) bool {
	if !c[0].known {
		return false
	}
	name := programName(c[0].text)
	return slices.ContainsFunc(c[1:], func(w word) bool {
		_, value, set := strings.Cut(w.text, "=")
		switch {
		case aliasBuiltins.has(name):
			return p.isProgram(w.text) || set && p.isProgram(firstWord(value))
		case inspectors.has(name):
			return false
		}
		return inPrograms(w.text) && p.isProgram(w.text) && !runsOthers(c[0])
	})
}

// aliasBuiltins give a program another name.
var aliasBuiltins = set(`alias enable hash`)

// inspectors only describe a file.
var inspectors = set(`[ du file ls md5sum readlink realpath sha1sum sha256sum stat test type wc whereis which`)

func firstWord(text string) string {
	if words := strings.Fields(text); len(words) > 0 {
		return strings.Trim(words[0], `'"\`)
	}
	return ""
}

// inPrograms reports whether a path leads into a directory of programs.
func inPrograms(name string) bool {
	folder := path.Base(path.Dir(name))
	return strings.Contains(name, "/") && (folder == "bin" || folder == "sbin" || folder == "libexec" || folder == "git-core")
}

// isProgram reports whether a word names the program of the pattern.
func (p commandPattern) isProgram(text string) bool { return p.words[0].matchesProgram(text) }

// matchesProgram ignores case, and the folder that the program is in.
func (p wordPattern) matchesProgram(text string) bool {
	folded := make(wordPattern, len(p))
	for i, piece := range p {
		folded[i] = fold(piece)
	}
	return folded.matches(fold(text)) || folded.matches(fold(path.Base(text)))
}

// inert reports whether a program neither runs nor obeys its arguments, or has a table of
// those that it does run.
func inert(name string) bool {
	return harmlessPrograms.has(name) || riskyOptions[name] != nil || riskySubcommands[name] != nil || languages.has(name) || slices.Contains(options()[name], anyOption)
}

// harmlessPrograms are well known, and run none of their arguments.
var harmlessPrograms = set(`
	: [ [[ arch b2sum base32 base64 basename bc bzcat bzip2 cal cat cd chgrp chmod chown cksum clear cmp col column comm cp csplit cut
	df diff dir dircolors dirname dirs du echo egrep exit expand expr factor false fgrep file fmt fold free getconf groups grep
	gunzip gzip head hexdump hostid hostname iconv id install join jq kill killall last ldconfig link ln locale logname look ls
	lsattr lsblk lscpu lsof lspci lsusb md5sum mkdir mkfifo mknod mktemp mv nl nm nproc numfmt objdump od paste patch pathchk pgrep
	pidof pkill popd pr printenv printf ps pushd pwd readelf readlink realpath return rev rm rmdir seq sha1sum sha224sum sha256sum
	sha384sum sha512sum shasum shift shred shuf size sleep sort stat strings strip stty sum sync tac tail tee test times top touch
	tput tr true truncate tsort tty type ulimit umask uname unexpand uniq unlink unxz unzip uptime users vmstat w wait wc whereis
	which who whoami xz declare export getopts let local logout read readonly set shopt typeset unset xzcat yes zcat zip zipinfo zstd`)
