package permission

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// anyOption marks a program none of whose options runs or writes more than the program
// itself does.
const anyOption = "*"

// commonOptions are harmless and mean the same in every program that has them.
const commonOptions = `
	v vv vvv q h --verbose --quiet --silent --version --help --color --colour --no-color --no-colour --dry-run --all --list --json --count --check
	--fast --failfast --fail-fast --watch --coverage --ci --no-input --noinput --parallel --serial --release --nocapture --test-threads`

// options are those of each program for which a star can stand; other programs have only
// the common ones. A letter is a short option, also in a group; with a colon it takes the
// rest as its value. A final star stands for any characters.
var options = sync.OnceValue(func() map[string][]string { return tabled(optionLines) })

var optionLines = map[string]string{
	"git": `
		a b d e f i k l m: n p r s t u w y z A B D E G: H I L: M N P S: U: W
		--abbrev --abbrev-commit --abbrev-ref --abort --absolute-git-dir --after --allow-empty --always --amend --annotate --author --author-date-order
		--autosquash --autostash --bare --before --binary --bisect --branch --branches --cached --cherry --cherry-pick --color-moved --color-words
		--compact-summary --contains --continue --cover-letter --date --date-order --decorate --deepen --delete --depth --detach --diff-algorithm
		--diff-filter --dirstat --dirty --error-unmatch --exact-match --exclude-standard --exit-code --ff --ff-only --filter --find-copies
		--find-renames --first-parent --fixed-strings --fixup --follow --follow-tags --force --force-with-lease --format --full-history --full-index
		--full-name --function-context --get --get-all --get-regexp --global --graph --grep --hard --heads --histogram --ignore-all-space
		--ignore-blank-lines --ignore-case --ignore-space-at-eol --ignore-space-change --ignored --include-untracked --index --init --inter-hunk-context
		--is-inside-work-tree --keep --keep-index --left-only --left-right --line-number --local --log --long --match --max-count --max-depth --merge
		--merge-base --merged --merges --message --minimal --mixed --modified --move --name-only --name-status --no-abbrev --no-commit --no-decorate
		--no-edit --no-ext-diff --no-ff --no-merged --no-merges --no-pager --no-patch --no-prefix --no-rebase --no-recurse-submodules --no-renames
		--no-single-branch --no-stat --no-tags --no-textconv --no-track --no-walk --null --numstat --objects --oneline --only --onto --ours --orphan
		--others --parents --patch --patch-with-stat --patience --perl-regexp --pickaxe-all --pickaxe-regex --points-at --porcelain --pretty --progress
		--prune --quit --raw --rebase --recurse-submodules --recursive --refs --relative --relative-date --remotes --renames --reverse --right-only
		--root --set-upstream --set-upstream-to --shallow-since --shallow-submodules --short --shortstat --show-current --show-origin --show-pulls
		--show-scope --show-stash --show-toplevel --sign-off --signoff --simplify-by-decoration --since --single-branch --skip --soft --sort --source
		--squash --staged --stage --stat --submodule --summary --symbolic-full-name --tag --tags --text --theirs --topo-order --track --unified
		--unset-upstream --unshallow --until --untracked --untracked-files --update --verify --walk-reflogs --word-diff --word-diff-regex --word-regexp
		--worktree --zero`,
	"git archive": "--prefix", "git describe": "--candidates",
	"go": `
		-a -all -asan -bench -benchmem -benchtime -buildvcs -cmd -compiled -count -cover -covermode -coverpkg -cpu -d -deps -diff -e -f -failfast -find
		-fullpath -fuzz -fuzztime -i -json -l -list -m -mod -msan -n -p -parallel -race -run -s -short -shuffle -skip -src -tags -test -timeout -trimpath
		-u -v -versions -vet -work -x`,
	"gofmt": "-d -e -l -s",
	"cargo": `
		p: j: i e F: --all-features --all-targets --bench --benches --bin --bins --depth --doc --edges --example --examples --exclude --features --frozen
		--invert --jobs --keep-going --lib --locked --message-format --no-default-features --no-deps --no-fail-fast --no-run --offline --package
		--prefix --profile --test --tests --workspace --exact --ignored --include-ignored --show-output --skip`,
	"npm": nodeOptions, "pnpm": nodeOptions, "yarn": nodeOptions,
	"pytest": `
		k: m: x s l r: n: --capture --co --collect-only --cov --deselect --disable-warnings --dist --durations --exitfirst --failed-first --ff --fixtures
		--ignore --import-mode --keyword --last-failed --lf --markers --maxfail --nf --no-cov --no-header --no-summary --numprocesses --reruns
		--runxfail --setup-show --showlocals --stepwise --strict-config --strict-markers --sw --tb --timeout`,
	"make": `
		B O: R d i j: k l: n p r s w --always-make --debug --ignore-errors --jobs --just-print --keep-going --load-average --no-print-directory
		--output-sync --print-data-base --print-directory --question --silent --stop --trace`,
	"ninja": "j: k: l: n d:", "cmake": "G: j: N --build --clean-first --config --preset --target",
	"ctest": "j: R: E: L: N --output-on-failure --test-dir --rerun-failed --repeat --timeout --label-regex",
	"grep": `
		A: B: C: E F G H L P R U Z a b c e: i l m: n o r s w x y z --after-context --basic-regexp --before-context --binary-files --byte-offset --context
		--dereference-recursive --exclude --exclude-dir --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case
		--include --initial-tab --invert-match --line-buffered --line-number --line-regexp --max-count --no-filename --no-ignore-case --no-messages
		--null --null-data --only-matching --perl-regexp --recursive --regexp --text --with-filename --word-regexp`,
	"rg": `
		0 A: B: C: E: F H I L M: N P S T: U a b c d: e: g: i j: l m: n o p r: s t: u w x --after-context --before-context --block-buffered --byte-offset
		--case-sensitive --column --context --context-separator --count-matches --crlf --encoding --field-context-separator --field-match-separator
		--files --files-with-matches --files-without-match --fixed-strings --follow --glob --glob-case-insensitive --heading --hidden --iglob
		--ignore-case --include-zero --invert-match --line-buffered --line-number --line-regexp --max-columns --max-columns-preview --max-count
		--max-depth --max-filesize --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs --no-line-number
		--no-messages --null --one-file-system --only-matching --passthru --pcre2 --pretty --regexp --replace --smart-case --sort --sortr --stats --text
		--threads --trim --type --type-list --type-not --unrestricted --vimgrep --with-filename --word-regexp`,
	"find": `
		-E -H -L -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -d -daystart -depth -empty -executable -false -follow -fstype -gid -group
		-ignore_readdir_race -ilname -iname -inum -ipath -iregex -iwholename -links -lname -ls -maxdepth -mindepth -mmin -mount -mtime -name -newer
		-newer* -nogroup -noignore_readdir_race -noleaf -not -nouser -o -or -path -perm -print -print0 -printf -prune -quit -readable -regex
		-regextype -samefile -size -true -type -uid -used -user -wholename -writable -xdev -xtype`,
	"fd": fdOptions,
	"sort": `
		C M S: V b c d f g h i k: m n r s t: u z --buffer-size --check --dictionary-order --field-separator --general-numeric-sort
		--human-numeric-sort --ignore-case --ignore-leading-blanks --key --merge --month-sort --numeric-sort --random-sort --reverse --stable
		--unique --version-sort --zero-terminated`,
	"tar": "J Z a f: j t z --bzip2 --exclude --file --full-time --gzip --list --numeric-owner --strip-components --wildcards --xz --zstd",
	"zip": "9 j r x", "unzip": "l t z Z",
	"curl": `
		# 0 1 2 3 4 6 A: G H: I L R S X: e: f g i k m: r: s u: y: z: --compressed --connect-timeout --fail --fail-with-body --get --head --header
		--http1.0 --http1.1 --http2 --http3 --include --insecure --ipv4 --ipv6 --location --max-redirs --max-time --no-buffer --no-progress-meter
		--progress-bar --range --referer --request --retry --retry-all-errors --retry-delay --show-error --tlsv1.2 --tlsv1.3 --url --user --user-agent`,
	"wget":   "4 6 N S c t: T: w: --continue --header --no-check-certificate --no-verbose --server-response --spider --timeout --timestamping --tries --user-agent",
	"yq":     "0 C M P N e j n o: p: r --exit-status --indent --input-format --no-colors --no-doc --null-input --output-format --prettyPrint --raw-output",
	"docker": dockerOptions, "podman": dockerOptions, "nerdctl": dockerOptions,
	"kubectl": "A L: R c: l: n: o: w --all-containers --all-namespaces --container --field-selector --limit-bytes --namespace --no-headers --output --previous --recursive --selector --show-labels --since --since-time --sort-by --tail --timestamps",
	"gh": `
		B: H: L: R: S: a: b: c d j: l: q: s: t: --assignee --author --base --body --branch --comments --created --draft --exit-status --head --job
		--jq --label --language --limit --log --log-failed --mention --merged --milestone --name-only --patch --reviewer --repo --search --sort --state
		--status --title --updated --user --visibility --workflow`,
	"rsync": "8 A C D H I L R S W X a c g h i k l m n o p r t u x y z P --archive --checksum --compress --delete --exclude --human-readable --include --info --itemize-changes --partial --progress --prune-empty-dirs --recursive --size-only --stats --update",
	"scp":   "3 4 6 B C O P: R l: p r", "man": "a f k w", "less": "E F I M N R S X g i m n r s", "more": "d f l p c u s",
	"bat": "A: H: l: n p r: --decorations --language --line-range --number --plain --show-all --style --tabs --theme --wrap",
	"gcc": compilers, "clang": compilers,
	"sed": "E n r s u z", "date": "I: R d: r: u --date --iso-8601 --reference --rfc-3339 --rfc-email --utc",
	"file": "0 L N b i k r s --brief --mime --mime-encoding --mime-type --dereference", "tail": anyOption, "tree": anyOption,
	"jest": "b i o t: u w: --bail --changedSince --findRelatedTests --maxWorkers --onlyChanged --passWithNoTests --runInBand --testNamePattern --testPathPattern --updateSnapshot --watchAll",
	"tsc":  "b w --build --noEmit --pretty --skipLibCheck --strict", "eslint": "--cache --ext --fix --max-warnings", "prettier": "c l w --list-different --write",
	"ruff": "--diff --fix --ignore --no-cache --preview --select --show-fixes --statistics --unsafe-fixes", "black": "C S l: t: --diff --line-length --target-version",
	"mypy": "--ignore-missing-imports --no-error-summary --pretty --show-error-codes --strict", "flake8": "--ignore --max-line-length --select --statistics --show-source",
	"isort": "--diff --profile", "pylint": "E d: e: r: s: --disable --enable --errors-only --reports --score",
	"mvn":           "B N T: U X am amd e fae ff fn o pl: -DskipTests -DskipITs -Dtest --also-make --batch-mode --errors --no-transfer-progress --offline --projects --update-snapshots -ntp -am -pl",
	"gradle":        "x: --console --continue --info --offline --rerun-tasks --stacktrace --tests --warning-mode",
	"golangci-lint": "--disable --enable --fast-only --fix --new --new-from-rev --timeout",
}

const (
	nodeOptions = `
		D F: P r s w: --depth --filter --frozen-lockfile --if-present --ignore-scripts --include --include-workspace-root --long --no-audit --no-fund
		--omit --prefer-offline --production --recursive --reporter --save-dev --workspace --workspaces --bail --runInBand`
	fdOptions = `
		0 1 E: F H I L S: a c: d: e: g i j: l p s t: u --absolute-path --and --case-sensitive --changed-before --changed-within
		--exact-depth --exclude --extension --fixed-strings --follow --full-path --glob --hidden --ignore-case --list-details --max-depth
		--max-results --min-depth --no-ignore --no-ignore-vcs --owner --print0 --size --strip-cwd-prefix --type --unrestricted`
	dockerOptions = `
		a d i n: q s t: --build --detach --filter --follow --force-recreate --format --last --latest --no-cache --no-deps --no-log-prefix --no-trunc --orphans
		--profiles --pull --remove-orphans --rm --services --since --size --status --tag --tail --timeout --timestamps --until --wait`
	compilers = `
		D: E I: L: M MM MMD MD MP O: S U: c g g3 ggdb l: m64 m32 pthread w x: -M -MD -MM -MMD -MP -W -Wall -Wconversion -Werror -Werror=* -Wextra -Wformat
		-Wno-* -Wpedantic -Wshadow -Wunused -ansi -fPIC -fPIE -fno-* -fsanitize -fsyntax-only -g0 -ggdb -m32 -m64 -march -mtune -pedantic -pie -pipe
		-pthread -shared -static -std`
)

func tabled(lines map[string]string) map[string][]string {
	all := map[string][]string{}
	for name, line := range lines {
		all[name] = strings.Fields(line)
	}
	for name := range strings.FieldsSeq(`
		: [ b2sum base64 basename cal cat chgrp chmod chown cksum cmp column comm cp cut df diff dirname du echo expand expr false
		fold free groups head hexdump id join jq kill ln ls md5sum mkdir mktemp mv nl nproc numfmt od paste pgrep pidof pkill printenv printf ps pwd
		readlink realpath rev rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum sleep stat strings sum sync tac tail test touch tr
		tree true tty uname unexpand uptime wc whereis which who whoami install uniq tee dd truncate xxd`) {
		all[name] = []string{anyOption}
	}
	return all
}

// covered reports whether a star can stand for the word at a position: a listed option, or
// any operand of a program in the table. For other programs a word with = or @ may be an
// option that runs or writes something.
func (c command) covered(at int) bool {
	name, text := programName(c[0].text), c[at].text
	known := options()[name] != nil
	if known && slices.Contains(options()[name], anyOption) {
		return true
	}
	switch {
	case name == "date" && !strings.HasPrefix(text, "-"):
		return strings.HasPrefix(text, "+") // anything else sets the clock
	case text == "-" || text == "--" || isNumber(strings.TrimPrefix(text, "-")):
		return true
	case name == "tar" && strings.Contains(text, ":"): // a host, which tar reaches over a remote shell
		return false
	case name == "curl" && (sendsFile(text) || readsFile(text)):
		return false
	case strings.HasPrefix(text, "-"):
		return c.listedOption(name, text)
	case known:
		return !strings.HasPrefix(text, "@") || name != "curl" && name != "gcc" && name != "clang"
	}
	return !strings.Contains(text, "=") && !strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "+") && !strings.ContainsAny(text, "\n")
}

// sendsFile reports whether an option of curl sends the headers that a file holds.
func sendsFile(text string) bool { return strings.HasPrefix(text, "-") && strings.Contains(text, "H@") }

// readsFile reports whether an address of curl is another than one of the web.
func readsFile(text string) bool {
	scheme, _, found := strings.Cut(fold(text), "://")
	return strings.HasPrefix(fold(text), "file:") || found && scheme != "http" && scheme != "https"
}

func (c command) listedOption(name, text string) bool {
	all := slices.Concat(strings.Fields(commonOptions), options()[name])
	if len(c) > 1 {
		all = append(all, options()[name+" "+c[1].text]...)
	}
	option, _, _ := strings.Cut(text, "=")
	if name == "go" {
		option = "-" + strings.TrimPrefix(strings.TrimLeft(option, "-"), "test.")
	}
	if slices.ContainsFunc(all, func(listed string) bool {
		prefix, starred := strings.CutSuffix(listed, "*")
		return listed == option || starred && strings.HasPrefix(text, prefix) || !strings.HasPrefix(listed, "-") && len(listed) > 1 && "-"+listed == text
	}) {
		return true
	}
	return !strings.HasPrefix(text, "--") && text != "" && shortCovered(text[1:], all)
}

// shortCovered reports whether a group holds only listed short options, each with an
// optional number; the last one may have a value.
func shortCovered(letters string, all []string) bool {
	for letters != "" {
		first := letters[:1]
		letters = letters[1:]
		switch {
		case slices.Contains(all, first+":"):
			return true
		case !slices.Contains(all, first):
			return false
		}
		letters = strings.TrimLeftFunc(letters, unicode.IsDigit)
	}
	return true
}
