package permission

import (
	"slices"
	"strings"
	"sync"
)

// noLimit is more words than a line can hold.
const noLimit = maxLine

// readOnlyPrograms lists programs and git subcommands that only read, with the options
// that keep them so, written as in the options table. Anything else is asked about:
// options that follow links, run programs, write, or read a list of files from a file.
var readOnlyPrograms = sync.OnceValue(func() map[string]readOnlyProgram {
	all := map[string]readOnlyProgram{}
	add := func(names, options string, r readOnlyProgram) {
		r.options = strings.Fields(options)
		for name := range strings.SplitSeq(names, ",") {
			all[name] = r
		}
	}
	files, texts, none := readOnlyProgram{maxWords: noLimit}, readOnlyProgram{maxWords: noLimit, leadingTexts: noLimit}, readOnlyProgram{}
	add("ls", `1 A B C F G N Q R S U X a b c d f g h i k l m n o p q r s t u v w: x --all --almost-all --color --directory --full-time
		--group-directories-first --human-readable --inode --recursive --reverse --size --sort --time --time-style`, files)
	add("cat", `A E T b e n s t u v --number --show-all --squeeze-blank`, files)
	add("head,tail", `c: n: q v z --bytes --lines --quiet`, files)
	add("wc", `L c l m w --bytes --chars --lines --max-line-length --words`, files)
	add("nl,tac,rev,fold,expand,column", `b: n: s: t w:`, files)
	add("cut", `b: c: d: f: s z --characters --complement --delimiter --fields --only-delimited --output-delimiter`, files)
	add("sort", `b d f g h i k: n r s t: u V z --field-separator --human-numeric-sort --ignore-case --key --numeric-sort --reverse --stable --unique --version-sort`, files)
	add("uniq", `c d f: i s: u w: --count --ignore-case --repeated --unique`, readOnlyProgram{maxWords: 1})
	add("tr", `C c d s t --complement --delete --squeeze-repeats`, texts)
	add("cmp,comm", `1 2 3 b l s`, files)
	add("md5sum,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,cksum", `b t z --tag`, files)
	add("stat", `c: f t --format --printf --terse`, files)
	add("file", `b i --brief --mime --mime-encoding --mime-type`, files)
	add("du", `a b c d: h k m s x --all --apparent-size --block-size --exclude --human-readable --max-depth --summarize --total`, files)
	add("df", `T h i k --human-readable --print-type`, files)
	// tree takes the value of a short option from the next word, and reads the letters
	// after it as options again.
	add("tree", `A C D F I L P S a d f h i n p s --dirsfirst --filelimit --gitignore --noreport --prune`, files)
	add("od,hexdump", `A: C N: b c d j: n: o s: t: v x`, files)
	add("strings", `a n: --bytes`, files)
	add("jq", `C M S c e r s --compact-output --exit-status --raw-output --slurp --sort-keys --tab --indent`, readOnlyProgram{maxWords: noLimit, leadingTexts: 1})
	add("grep,egrep,fgrep", `A: B: C: E F G H L P T a b c e: h i l m: n o q s v w x z --after-context --before-context --color --count --context --exclude --exclude-dir
		--extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --include --invert-match --line-number --line-regexp
		--max-count --no-filename --no-messages --only-matching --perl-regexp --quiet --regexp --text --with-filename --word-regexp r --recursive`,
		readOnlyProgram{maxWords: noLimit, leadingTexts: 1, showsAnyFile: true})
	add("rg", `A: B: C: F H I N P S U a c e: g: i l m: n o p q s t: T: v w x --after-context --before-context --color --column --context --count --count-matches
		--files --files-with-matches --files-without-match --fixed-strings --glob --heading --hidden --iglob --ignore-case --invert-match --json
		--line-number --line-regexp --max-columns --max-count --max-depth --multiline --no-filename --no-heading --no-ignore --no-line-number
		--no-messages --only-matching --pcre2 --regexp --smart-case --sort --sortr --stats --text --trim --type --type-list --type-not --vimgrep
		--with-filename --word-regexp`, readOnlyProgram{maxWords: noLimit, leadingTexts: 1, showsAnyFile: true})
	add("find", `-a -amin -and -atime -cmin -ctime -d -daystart -depth -empty -executable -false -group -iname -inum -ipath -iregex -links -ls -maxdepth
		-mindepth -mmin -mtime -name -newer -not -o -or -path -perm -print -print0 -prune -quit -readable -regex -regextype -size -true -type -user
		-wholename -writable -xdev`, files)
	add("fd,fdfind", `0 1 F H I S: a d: e: E: g i p s t: --absolute-path --exclude --extension --fixed-strings --full-path --glob --hidden --ignore-case --max-depth --max-results
		--min-depth --no-ignore --size --type`, files)
	add("test", `-b -c -d -e -eq -f -g -ge -gt -h -k -L -le -lt -n -ne -nt -ot -p -r -s -S -u -w -x -z`, files)
	add("basename,dirname", `a s: z`, texts)
	add("readlink", `f e m n q`, files)
	add("echo", anyOption, texts)
	add("printf", ``, texts)
	add("which", `a`, texts)
	add("date", `I: R u --iso-8601 --rfc-3339 --utc`, none)
	add("uname", `a i m n o p r s v`, none)
	add("id", `G g n r u`, none)
	add("pwd", `L P`, none)
	add("true,false,:,whoami,nproc,groups,arch,tty,uptime", ``, none)
	addGit(add)
	return all
})

// Options that several git subcommands share.
const (
	diffOptions = `
		C: D G: M: R S: U: W a b p s u w z --abbrev --cached --cc --check --color --color-words --compact-summary --diff-algorithm --diff-filter --dirstat
		--exit-code --find-renames --full-index --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-space-change --merge-base
		--minimal --name-only --name-status --no-color --no-ext-diff --no-patch --no-prefix --no-renames --no-textconv --numstat --patch --patch-with-stat
		--patience --quiet --raw --relative --shortstat --staged --stat --summary --text --unified --word-diff`
	logOptions = diffOptions + `
		E F L: i m n: --abbrev-commit --after --all --ancestry-path --author --before --boundary --branches --cherry --cherry-pick --children --committer
		--count --date --date-order --decorate --first-parent --follow --format --full-history --graph --grep --left-right --max-count --merges --no-decorate
		--no-merges --objects --oneline --parents --pretty --reflog --remotes --reverse --right-only --since --skip --tags --topo-order --until`
	refOptions = `--abbrev --color --column --contains --format --ignore-case --merged --no-color --no-contains --no-merged --points-at --sort`
)

func addGit(add func(names, options string, r readOnlyProgram)) {
	names, shows := readOnlyProgram{maxWords: noLimit}, readOnlyProgram{maxWords: noLimit, showsAnyFile: true}
	refs := readOnlyProgram{maxWords: noLimit, listOptions: []string{"--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"}}
	add("git status", `b s u: z --ahead-behind --branch --ignored --long --no-renames --porcelain --short --show-stash --untracked-files`, names)
	add("git diff", diffOptions, shows)
	add("git log,git show,git rev-list,git whatchanged,git stash show,git stash list,git reflog ,git reflog show", logOptions, shows)
	add("git diff-tree,git diff-index", diffOptions+` r t m --no-commit-id --root`, shows)
	add("git blame", `C: L: M: e f l n p s t w --abbrev --date --line-porcelain --porcelain --show-email --show-name --show-number`, shows)
	// git grep is not among them: it follows links to folders.
	add("git cat-file", `e p s t`, shows)
	add("git branch", refOptions+` a r v vv --all --list --remotes --show-current --verbose`, refs)
	add("git tag", refOptions+` l n: --list`, readOnlyProgram{maxWords: noLimit, listOptions: append(slices.Clone(refs.listOptions), "-l")})
	add("git remote ", `v --verbose`, readOnlyProgram{})
	add("git remote get-url", `--all --push`, names)
	add("git worktree list", `v z --porcelain --verbose`, readOnlyProgram{})
	add("git ls-files", `c d i k m o s t u v z --cached --deleted --directory --eol --error-unmatch --exclude-standard --full-name --ignored --modified --others --stage --unmerged`, names)
	add("git ls-tree", `d l r t z --abbrev --full-name --full-tree --long --name-only --name-status --object-only`, names)
	add("git rev-parse", `q --abbrev-ref --absolute-git-dir --all --branches --git-common-dir --git-dir --is-bare-repository --is-inside-git-dir
		--is-inside-work-tree --quiet --remotes --short --show-cdup --show-prefix --show-toplevel --symbolic-full-name --tags --verify`, names)
	add("git describe", `--abbrev --all --always --candidates --contains --dirty --exact-match --long --match --tags`, names)
	add("git shortlog", `e n s --email --group --no-merges --numbered --since --summary --until`, names)
	add("git merge-base", `a --all --independent --is-ancestor --octopus`, names)
	add("git show-ref", `d q s --abbrev --dereference --hash --head --heads --quiet --tags --verify`, names)
	add("git for-each-ref", refOptions+` --count`, names)
	add("git name-rev", `--all --always --name-only --no-undefined --refs --tags`, names)
	add("git check-ignore", `n v --non-matching --verbose`, names)
	add("git count-objects", `H v --human-readable --verbose`, readOnlyProgram{})
	add("git version,git --version", ``, readOnlyProgram{})
}
