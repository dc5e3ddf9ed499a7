package permission

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// runners run a program, or a line, that stands in their words.
var runners = set(`
	. alias ash at bash batch bind builtin busybox chroot chrt command coproc crontab csh dash doas docker
	entr env eval exec fakeroot find fish flock ionice kubectl ksh mapfile mksh nice nohup nsenter parallel
	podman readarray rlwrap runuser screen script setarch setpriv setsid sh source ssh stdbuf strace su sudo
	systemd-run taskset tcsh time timeout tmux torsocks toybox trap unbuffer unshare watch xargs yash zsh`)

// masters do a great many things, of which running others is one: what they are to do
// is named before a star.
var masters = set(`docker kubectl podman`)

// feeders run a program with words that they read.
var feeders = set(`xargs parallel entr watch mapfile readarray`)

// changers are built into the shell and change what a later command of the line is
// or does, or work words out as code.
var changers = set(`
	. [ [[ alias bind builtin cd command compgen complete compopt declare disown enable eval exec exit export
	fc getopts hash let local logout mapfile popd pushd read readarray readonly set shift shopt source suspend
	test times trap typeset ulimit umask unalias unset wait`)

// languages run a program that is written in one of their words, or in a file.
var languages = set(`
	awk bun bunx deno ed emacs ex expect gawk gdb guile irb julia lua luajit mawk nawk node nodejs npx nvim
	osascript perl php pipx pwsh python python2 python3 R Rscript ruby scala sed sqlite3 swift tclsh ts-node tsx
	uvx vi view vim wish`)

// risky are the options with which a program that is else harmless runs another one,
// takes its settings from elsewhere or writes where it is told. A bare letter is a
// short option, wherever it stands among others.
var risky = map[string][]string{
	"find": {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"},
	"fd":   {"x", "X", "--exec", "--exec-batch"},
	"git": {
		"c", "O", "o", "x", "--config", "--config-env", "--exec-path", "--git-dir", "--work-tree", "--exec",
		"--output", "--output-directory", "--ext-diff", "--textconv", "--upload-pack", "--receive-pack", "--open-files-in-pager",
		"--template", "--separate-git-dir", "--namespace", "--super-prefix", "--remote", "--no-index", "--extcmd", "--tool",
		"F", "--file", "--contents", "--pathspec-from-file", "--exclude-from",
	},
	"go":     {"-exec", "-toolexec", "-overlay", "-modfile", "-vettool", "-C", "-o", "-ldflags", "-gccgoflags", "-gcflags", "-asmflags", "-pkgdir", "-outputdir", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace", "-w", "-debug-actiongraph", "-debug-trace", "-debug-runtime-trace", "-testlogfile", "-gocoverdir", "-fuzzcachedir"},
	"gofmt":  {"-w", "-cpuprofile"},
	"rg":     {"--pre", "--hostname-bin", "--search-zip", "z"},
	"grep":   {"f", "--file"},
	"ag":     {"--pager"},
	"ack":    {"--pager", "--output"},
	"tar":    {"I", "F", "C", "x", "--to-command", "--checkpoint-action", "--use-compress-program", "--rsh-command", "--new-volume-script", "--info-script", "--directory"},
	"zip":    {"T", "--unzip-command", "--test"},
	"rsync":  {"e", "--rsh", "--rsync-path"},
	"sort":   {"o", "T", "--output", "--compress-program", "--temporary-directory"},
	"tree":   {"o", "R"},
	"man":    {"P", "H", "--pager", "--html", "--preprocessor"},
	"less":   {"o", "O", "k", "+"},
	"date":   {"s", "f", "--set", "--file"},
	"make":   {"f", "C", "I", "E", "--file", "--makefile", "--eval", "--directory", "--include-dir"},
	"cargo":  {"C", "Z", "--config", "--manifest-path", "--target-dir"},
	"npm":    {"--prefix", "--script-shell", "--node-options", "--globalconfig", "--userconfig"},
	"curl":   {"o", "O", "K", "T", "D", "c", "d", "F", "--output", "--remote-name", "--config", "--upload-file", "--dump-header", "--cookie-jar", "--data", "--form", "--trace"},
	"wget":   {"O", "o", "a", "i", "e", "--output-document", "--output-file", "--append-output", "--execute", "--use-askpass", "--post-file", "--body-file", "--input-file", "--config"},
	"printf": {"v"},
	"tee":    {anyWord}, // it writes them
	"split":  {"--filter"},
	"uniq":   {anyWord}, // it writes the second
}

// anyWord stands for a word that is no option too.
const anyWord = ""

// parts are those of a program that run what they are told, or change what it runs
// from then on.
var parts = map[string]map[string]bool{
	"git": set(`
		bisect config credential daemon difftool fast-import filter-branch filter-repo gui help hook init instaweb maintenance
		mergetool p4 rebase send-email submodule svn update-index upload-archive upload-pack web--browse worktree`),
	"go":    set(`env generate get install run tool`),
	"cargo": set(`config install run`),
	"npm":   set(`config exec explore init install x`),
}

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// runsOthers says whether a program may run another that stands in its words.
func runsOthers(name word) bool { return !name.known || runners[fold(path.Base(name.text))] }

func feedsOthers(name word) bool { return name.known && feeders[fold(path.Base(name.text))] }

// changesTheNext says whether a command changes what those behind it do.
func changesTheNext(name string) bool { return changers[name] }

// starsCover says whether what the stars of a pattern stand for is harmless. What the
// pattern says in letters is what the user wants.
func (p commandPattern) starsCover(c command) bool {
	if p.plain() {
		return true
	}
	if p.runs(c[0].text) != nil {
		return false
	}
	for i, w := range c {
		starred := i >= len(p.words) || !p.words[i].exact()
		if starred && (i == 0 && len(p.words) > 0 || isRisky(c[0].text, i, w.text)) {
			return false
		}
	}
	return true
}

// plain says whether the pattern has no star.
func (p commandPattern) plain() bool {
	return !p.rest && !slices.ContainsFunc(p.words, func(w wordPattern) bool { return !w.exact() })
}

// runs says why no star can stand behind a program; nil where one can.
func (p commandPattern) runs(program string) error {
	switch name := path.Base(program); {
	case masters[name]:
		if len(p.words) > 1 && p.words[1].exact() && !strings.HasPrefix(p.words[1][0], "-") {
			return nil
		}
		return fmt.Errorf("%s can run anything: name what it is to do before the *", name)
	case runners[name] && risky[name] == nil:
		return fmt.Errorf("%s runs what its words say: write the whole command, without *", name)
	case changers[name]:
		return fmt.Errorf("%s changes what comes after it: write the whole command, without *", name)
	case scripts[name] && !p.script():
		return fmt.Errorf("%s runs what its words say: name the script before the *", name)
	case languages[name] && !scripts[name]:
		return fmt.Errorf("%s runs what its words say: write the whole command, without *", name)
	}
	return nil
}

// script says whether the pattern names, in letters, what a language is to run, and
// no option stands before it that would make it something else.
func (p commandPattern) script() bool {
	return len(p.words) > 1 && p.words[1].exact() && !strings.HasPrefix(p.words[1][0], "-")
}

// scripts are the languages whose first word is a script, and the further ones its
// arguments.
var scripts = set(`bun deno node nodejs lua luajit perl php python python2 python3 ruby Rscript tclsh ts-node tsx`)

func (p commandPattern) grants() error {
	if p.plain() {
		return nil
	}
	if len(p.words) == 0 {
		return nil // any program, as far as its words are harmless
	}
	if !p.words[0].exact() {
		return fmt.Errorf("the program has to be named in letters")
	}
	return p.runs(p.words[0][0])
}

// isRisky says whether a word that nobody wrote into a rule may do harm at its place.
func isRisky(program string, at int, text string) bool {
	name := path.Base(program)
	if at == 1 && parts[name] != nil && (parts[name][text] || strings.HasPrefix(text, "-")) {
		return true
	}
	option, _, _ := strings.Cut(text, "=")
	return slices.ContainsFunc(risky[name], func(bad string) bool { return bad == anyWord || isOption(option, bad) })
}

// isOption says whether a word may be an option: short ones can stand together and
// have their value behind them, long ones can be cut short.
func isOption(word, bad string) bool {
	switch {
	case !strings.HasPrefix(word, "-"):
		return false
	case !strings.HasPrefix(bad, "-"):
		return !strings.HasPrefix(word, "--") && strings.Contains(word, bad)
	case strings.HasPrefix(bad, "--"):
		return len(word) > 2 && strings.HasPrefix(bad, word)
	}
	name := strings.TrimPrefix(strings.TrimLeft(word, "-"), "test.") // go test takes them by both names
	return name == strings.TrimLeft(bad, "-")
}
