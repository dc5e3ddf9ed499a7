package permission

// runners run a program, or a line, that stands in their words.
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

// shells are those of the runners that run what they read, where no word is a script.
var shells = set(`. ash bash cmd csh dash fish ksh mksh nu oksh powershell pwsh rbash sh source tcsh xonsh yash zsh`)

// multiPurpose do a great many things, of which running others is one: what they are to do
// is named before a star.
var multiPurpose = set(`
	bundle conda direnv docker hatch ip kubectl mamba mise nerdctl nix pdm pipenv podman poetry pyenv rbenv rustup rye uv volta`)

// runSubcommands are the parts of a program that run another, which is named before a star
// too.
var runSubcommands = map[string]map[string]bool{
	"bundle": set(`exec`), "conda": set(`run`), "direnv": set(`exec`), "docker": set(`exec run`), "go": set(`run tool`),
	"hatch": set(`run`), "ip": set(`netns vrf`), "kubectl": set(`debug exec run`), "mamba": set(`run`), "mise": set(`exec x`), "nerdctl": set(`exec run`),
	"nix": set(`develop run shell`), "npm": set(`exec x`), "pdm": set(`run`), "pipenv": set(`run`), "pnpm": set(`dlx exec node`),
	"podman": set(`exec run`), "poetry": set(`run`), "pyenv": set(`exec`), "rbenv": set(`exec`), "rustup": set(`run`), "rye": set(`run`),
	"uv": set(`run x`), "volta": set(`run`), "yarn": set(`dlx exec node`),
}

// argumentFeeders run a program with words that they read.
var argumentFeeders = set(`xargs parallel entr watch mapfile readarray`)

// stateBuiltins are built into the shell and change what a later command of the line is
// or does, or work words out as code.
var stateBuiltins = set(`
	. [ [[ alias bind builtin cd command compgen complete compopt declare disown enable eval exec exit export
	fc getopts hash history let local logout mapfile popd pushd read readarray readonly set shift shopt source suspend
	test times trap typeset ulimit umask unalias unset wait`)

// languages run a program that is written in one of their words, or in a file.
var languages = set(`
	awk bun bunx clojure deno duckdb ed elixir emacs erl ex expect gawk gdb ghci gnuplot groovy gs guile iex irb jshell julia
	lldb lua luajit m4 mariadb mawk mongosh mysql nawk nim node nodejs npx nvim ocaml octave osascript perl php pipx pnpx psql
	pwsh python python2 python3 r raku rscript ruby scala sed sqlite sqlite3 swift tclsh ts-node tsx
	uvx vi view vim vimdiff rvim wish`)

// riskyOptions are the options with which a program that is else harmless runs another one,
// takes its settings from elsewhere or writes where it is told. A bare letter is a
// short option, wherever it stands among others. An entry of two words is about that
// part of a program alone.
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
	"tee":      {anyWord}, // it writes them
	"split":    {"--filter"},
	"uniq":     {anyWord}, // it writes the second
	"xxd":      {anyWord}, // the same
	"dd":       {anyWord}, // of= stands anywhere
	"truncate": {anyWord},
}

// curlRisks write files, send some, or take the settings from one.
var curlRisks = []string{
	"o", "O", "K", "T", "D", "c", "d", "F", "b", "n", "w", "J", "E", "x", "--output", "--output-dir", "--remote-name", "--remote-name-all",
	"--remote-header-name", "--config", "--upload-file", "--dump-header", "--cookie", "--cookie-jar", "--data", "--data-ascii",
	"--data-binary", "--data-raw", "--data-urlencode", "--json", "--form", "--form-string", "--trace", "--trace-ascii", "--stderr",
	"--libcurl", "--etag-save", "--hsts", "--alt-svc", "--netrc-file", "--write-out", "--unix-socket", "--abstract-unix-socket",
	"--engine", "--cert", "--key", "--proxy", "--preproxy", "--doh-url", "--ssl-sessions",
}

// anyWord stands for a word that is no option too.
const anyWord = ""

// bundled are programs whose first word holds their short options, also without a
// dash: tar xf.
var bundled = set(`tar`)

// takingAssignments are programs that take a word with an = in it for a setting, which can be
// the shell they run.
var takingAssignments = set(`make`)

// riskySubcommands are those of a program that run what they are told, or change what it runs
// from then on.
var riskySubcommands = map[string]map[string]bool{
	"git": set(`
		bisect bundle checkout-index citool config credential credential-store daemon difftool fast-import filter-branch filter-repo for-each-repo gui help hook
		init instaweb maintenance merge-file merge-index mergetool p4 quiltimport rebase receive-pack remote-ext remote-fd send-email shell submodule svn update-index
		upload-archive upload-pack web--browse worktree`),
	"go":    set(`bug env generate get install run tool`),
	"cargo": set(`config install r run`),
	"npm":   set(`add c ci clean-install config create edit exec explore i in init innit ins install it set x`),
	"pnpm":  set(`add c config create dlx env exec i init install node patch set`),
	"yarn":  set(`add config create dlx exec init install node plugin set`),
	"gh":    set(`alias codespace config cs ext extension extensions`),
	"pip":   set(`config download install wheel`),
	"brew":  set(`edit install sh upgrade`),
}

// riskyWords are words with which one part of a program runs what follows.
var riskyWords = map[string]map[string]bool{
	"git bisect":    set(`run view visualize`),
	"git submodule": set(`foreach`),
}

// readOnlyWords are the words behind a part of a program with which it only looks; a star
// stands for no others.
var readOnlyWords = map[string]map[string]bool{
	"git config": set(`--get --get-all --get-regexp --list -l get list`),
}
