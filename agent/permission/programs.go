package permission

// runners run a program or a command line that is among their arguments.
var runners = set(`
	. abduco alacritty alias ansible aoss apulse arch ash at autossh aws-vault bash batch bind bubblewrap builtin bundle busybox bwrap
	caffeinate capsh catatonit catchsegv cgexec choom chpst chronic chroot chrootuid chrt cmd command compgen complete concurrently
	conda coproc coresched cowbuilder cowdancer cpulimit crontab cross-env csh daemon daemonize dash dbus-launch dbus-run-session
	debuild direnv distrobox dlv doas docker doexec doppler dotenv dtach dtruss dumb-init dvtm eatmydata enable entr env envchain
	envdir eval exec execline execlineb expect fakechroot fakeroot faketime fc find firejail fish flatpak flock foreman forever
	fswatch gamemoderun gdbserver gio gnome-terminal gosu hash hatch heaptrack honcho hyperfine i386 ifne instruments ionice ip jexec
	jobs kitty konsole ksh kubectl launchctl ld.so ldd lima linux32 linux64 lockf lockrun logsave ltrace lxc lxc-attach lxc-execute
	machinectl mamba mangohud mapfile memusage mise mksh mosh mprof ncat nerdctl newgrp nice nix nix-shell nocache nodemon nohup nq
	nsenter nu numactl oksh open openvt optirun overmind padsp parallel pasuspender pdm pdsh perf pipenv pipexec pkexec pm2 podman
	poetry powershell primusrun prlimit proot prove proxychains proxychains4 pseudo pyenv qemu-i386 qemu-x86_64 rbash rbenv readarray
	reflex reptyr rlwrap rr rsh run-parts run0 runcon runit runsv runuser rustup rye s6-envdir s6-setsid s6-setuidgid s6-softlimit
	samply sandbox sandbox-exec schedtool screen script sem setarch setlock setpriv setsid setuidgid seunshare sg sh shlock snap
	softlimit source ssh ssh-agent sshpass st start-stop-daemon stdbuf strace su su-exec sudo supervise switch_root systemd-cat
	systemd-inhibit systemd-mount systemd-nspawn systemd-run taskset tcsh terminator time timeout tini tmux toolbox torify torsocks
	toybox trap trickle tsocks tsp uclampset uname26 unbuffer unshare urxvt uv valgrind vglrun volta waitmax watch watchexec wine
	wine64 with-contenv withlock wsl x86_64 xargs xdg-open xinit xonsh xterm xvfb-run yash zellij zsh`)

// shells are the runners that execute their input if no argument names a script.
var shells = set(`. ash bash cmd csh dash fish ksh mksh nu oksh powershell pwsh rbash sh source tcsh xonsh yash zsh`)

// multiPurpose programs run others with some of their subcommands. A rule must name the
// subcommand before a star.
var multiPurpose = set(`
	bundle conda direnv docker hatch ip kubectl mamba mise nerdctl nix pdm pipenv podman poetry pyenv rbenv rustup rye uv volta`)

// runSubcommands run a program. A rule must name that program too before a star.
var runSubcommands = map[string]*names{
	"bundle": set(`exec`), "conda": set(`run`), "direnv": set(`exec`), "docker": set(`exec run`), "go": set(`run tool`),
	"hatch": set(`run`), "ip": set(`netns vrf`), "kubectl": set(`debug exec run`), "mamba": set(`run`), "mise": set(`exec x`), "nerdctl": set(`exec run`),
	"nix": set(`develop run shell`), "npm": set(`exec x`), "pdm": set(`run`), "pipenv": set(`run`), "pnpm": set(`dlx exec node`),
	"podman": set(`exec run`), "poetry": set(`run`), "pyenv": set(`exec`), "rbenv": set(`exec`), "rustup": set(`run`), "rye": set(`run`),
	"uv": set(`run x`), "volta": set(`run`), "yarn": set(`dlx exec node`),
}

// argumentFeeders run a program with arguments that they read from their input.
var argumentFeeders = set(`xargs parallel entr watch mapfile readarray`)

// stateBuiltins are shell built-ins that change what later commands of the line are or do,
// or that evaluate their arguments as code.
var stateBuiltins = set(`
	. [ [[ alias bind builtin cd command compgen complete compopt declare disown enable eval exec exit export
	fc getopts hash history let local logout mapfile popd pushd read readarray readonly set shift shopt source suspend
	test times trap typeset ulimit umask unalias unset wait`)

// languages run a program that is written in one of their arguments or in a file.
var languages = set(`
	awk bun bunx clojure deno duckdb ed elixir emacs erl ex expect gawk gdb ghci gnuplot groovy gs guile iex irb jshell julia
	lldb lua luajit m4 mariadb mawk mongosh mysql nawk nim node nodejs npx nvim ocaml octave osascript perl php pipx pnpx psql
	pwsh python python2 python3 r raku rscript ruby scala sed sqlite sqlite3 swift tclsh ts-node tsx
	uvx vi view vim vimdiff rvim wish`)

// riskyOptions make an otherwise harmless program run another one, read its settings from
// elsewhere, or write where it is told. A bare letter is a short option, also when grouped
// with others. A key of two words applies to that subcommand only.
var riskyOptions = map[string][]string{
	"find": {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"},
	"fd":   {"x", "X", "--exec", "--exec-batch"},
	"git": {
		"c", "O", "o", "x", "--config", "--config-env", "--exec-path", "--git-dir", "--work-tree", "--exec",
		"--output", "--output-directory", "--ext-diff", "--textconv", "--upload-pack", "--receive-pack", "--open-files-in-pager",
		"--template", "--separate-git-dir", "--namespace", "--super-prefix", "--remote", "--no-index", "--extcmd", "--tool",
		"F", "--file", "--contents", "--pathspec-from-file", "--exclude-from",
	},
	"git clone": {"u"},
	"git merge": {"s", "X", "--strategy"}, "git pull": {"s", "X", "--strategy"}, "git cherry-pick": {"X", "--strategy"}, "git revert": {"X", "--strategy"},
	"go": {
		"-exec", "-toolexec", "-overlay", "-modfile", "-vettool", "-C", "-o", "-ldflags", "-gccgoflags", "-gcflags", "-asmflags",
		"-pkgdir", "-outputdir", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace", "-w",
		"-debug-actiongraph", "-debug-trace", "-debug-runtime-trace", "-testlogfile", "-gocoverdir", "-fuzzcachedir",
	},
	"gofmt":    {"-w", "-cpuprofile"},
	"rg":       {"--pre", "--hostname-bin", "--search-zip", "z"},
	"grep":     {"f", "--file"},
	"ag":       {"--pager"},
	"ack":      {"--pager", "--output"},
	"bat":      {"--pager", "--generate-config-file"},
	"delta":    {"--pager"},
	"tar":      {"I", "F", "C", "x", "c", "r", "u", "A", "--extract", "--get", "--create", "--append", "--update", "--catenate", "--concatenate", "--delete", "--to-command", "--checkpoint-action", "--use-compress-program", "--rsh-command", "--rmt-command", "--new-volume-script", "--info-script", "--directory"},
	"zip":      {"T", "--unzip-command", "--test"},
	"rsync":    {"e", "--rsh", "--rsync-path", "M", "--remote-option", "--log-file", "--write-batch"},
	"scp":      {"S", "o", "F", "J"},
	"sftp":     {"S", "o", "F", "J", "b", "D", "s"},
	"sort":     {"o", "T", "--output", "--compress-program", "--temporary-directory"},
	"shuf":     {"o", "--output"},
	"tree":     {"o", "R"},
	"man":      {"P", "H", "X", "C", "M", "l", "--pager", "--html", "--gxditview", "--preprocessor", "--config-file", "--manpath", "--local-file"},
	"less":     {"o", "O", "k", "+", "--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src", "--lesskey-content", "--cmd"},
	"more":     {"+"},
	"date":     {"s", "f", "--set", "--file"},
	"make":     {"f", "C", "I", "E", "--file", "--makefile", "--eval", "--directory", "--include-dir"},
	"ninja":    {"f", "C", "t"},
	"prove":    {"e", "I", "P", "--exec", "--formatter", "--harness", "--rc", "--source"},
	"cmake":    {"P", "E", "C", "D", "--install", "--toolchain"},
	"cargo":    {"C", "Z", "--config", "--manifest-path", "--target-dir", "--artifact-dir", "--open"},
	"npm":      {"C", "--prefix", "--script-shell", "--node-options", "--globalconfig", "--userconfig", "--git", "--shell", "--editor", "--viewer", "--browser", "--init-module", "--node-gyp", "--logs-dir", "--cache"},
	"pnpm":     {"C", "--dir", "--script-shell", "--shell-emulator", "--node-options", "--config"},
	"yarn":     {"--cwd", "--script-shell", "--use-yarnrc"},
	"pytest":   {"p", "c", "o", "--rootdir", "--confcutdir", "--basetemp", "--junitxml", "--junit-xml", "--log-file", "--override-ini", "--config-file"},
	"gcc":      {"B", "-wrapper", "-fplugin", "-specs", "--specs"},
	"clang":    {"B", "-fplugin", "-load", "--config"},
	"openssl":  {"-engine", "-provider", "-provider-path", "-out", "-writerand", "-config"},
	"gpg":      {"o", "--output", "--exec-path", "--photo-viewer", "--options", "--homedir"},
	"install":  {"--strip-program"},
	"yq":       {"i", "s", "--inplace", "--in-place", "--split-exp", "--from-file"},
	"diff3":    {"--diff-program"},
	"sdiff":    {"o", "--output", "--diff-program"},
	"iconv":    {"o", "--output"},
	"curl":     curlRisks,
	"wget":     {"O", "o", "a", "i", "e", "P", "--output-document", "--output-file", "--append-output", "--execute", "--use-askpass", "--post-data", "--post-file", "--body-data", "--body-file", "--input-file", "--config", "--directory-prefix", "--save-cookies", "--load-cookies", "--hsts-file", "--rejected-log", "--warc-file"},
	"printf":   {"v"},
	"tee":      {anyWord}, // it writes to them
	"split":    {"--filter"},
	"uniq":     {anyWord}, // it writes to the second
	"xxd":      {anyWord}, // the same
	"dd":       {anyWord}, // of= can come anywhere
	"truncate": {anyWord},
}

// curlRisks write files, upload data, or read settings from a file.
var curlRisks = []string{
	"o", "O", "K", "T", "D", "c", "d", "F", "b", "n", "w", "J", "E", "x", "--output", "--output-dir", "--remote-name", "--remote-name-all",
	"--remote-header-name", "--config", "--upload-file", "--dump-header", "--cookie", "--cookie-jar", "--data", "--data-ascii",
	"--data-binary", "--data-raw", "--data-urlencode", "--json", "--form", "--form-string", "--trace", "--trace-ascii", "--stderr",
	"--libcurl", "--etag-save", "--hsts", "--alt-svc", "--netrc-file", "--write-out", "--unix-socket", "--abstract-unix-socket",
	"--engine", "--cert", "--key", "--proxy", "--preproxy", "--doh-url", "--ssl-sessions",
}

// anyWord stands for any word, option or not.
const anyWord = ""

// riskySubcommands run what they are told, or change what the program runs from then on.
var riskySubcommands = map[string]*names{
	"git": set(`
		bisect bundle checkout-index citool config credential credential-store daemon difftool fast-import filter-branch filter-repo for-each-repo gui help hook
		init instaweb maintenance merge-file merge-index mergetool p4 quiltimport rebase receive-pack remote-ext remote-fd send-email shell submodule svn update-index
		upload-archive upload-pack web--browse worktree`),
	"go":    set(`bug env generate get install run tool`),
	"cargo": set(`config install r run`),
	"npm": set(`
		add cit clean-install-test config create edit exec explore ic init innit install-ci-test install-clean install-test isntall-clean it
		link ln rb rebuild set sit udpate update upgrade x`),
	"yarn": set(`add config create dlx exec global init install node plugin set`),
	"gh":   set(`alias auth codespace config cs ext extension extensions`), // auth prints the token
	"pip":  set(`config download install wheel`),
	"brew": set(`bundle edit install irb ruby sh upgrade`),
}

// onlySubcommands are all that a star can stand for: another word is the name of a program, which runs. A
// package's script of such a name comes first; the second line are names of scripts that are no programs.
var onlySubcommands = map[string]*names{"pnpm": set(`
	audit bin la licenses list ll ls outdated root run run-script start t test tst why
	build check coverage dev format lint preview type-check typecheck`)}

// riskyWords make a subcommand run what follows them, or what a later command is led to.
var riskyWords = map[string]*names{
	"git bisect": set(`run view visualize`), "git submodule": set(`foreach`),
	"git remote": set(`add rename set-url`), // where a push goes from then on: to a repository of the folder, whose hooks run
}

// ownRemotes are what a star can stand for after git push. Another word may be a folder, whose hooks run.
var ownRemotes = set(`origin upstream`)

// readOnlyWords are the only words after a subcommand for which a star can stand: they
// make it just look.
var readOnlyWords = map[string]*names{"git config": set(`--get --get-all --get-regexp --list -l get list`)}
