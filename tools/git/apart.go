package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/regular"
	"pawl/tools/process"
)

// Apart is git in folders that Pawl has written itself. No setting of the user, the system or the
// repository is in force there, and no hook or filter: what was committed cannot start a program.
type Apart struct {
	Launcher *process.Launcher
}

// InitApart makes a git folder that nobody works in. objects are folders of objects that it reads
// besides its own. sha256 says by which hash its objects are named.
func InitApart(folder string, sha256 bool, objects ...string) error {
	config := "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n\tlogallrefupdates = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
	if sha256 {
		config = strings.Replace(config, "version = 0", "version = 1", 1) + "[extensions]\n\tobjectformat = sha256\n"
	}
	for _, one := range []string{"objects/info", "objects/pack", "refs/heads", "info"} {
		if err := os.MkdirAll(filepath.Join(folder, one), 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{"config": config, "HEAD": "ref: refs/heads/none\n"}
	if len(objects) > 0 {
		files["objects/info/alternates"] = strings.Join(objects, "\n") + "\n"
	}
	return writeAll(folder, files)
}

func writeAll(folder string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// worktreeName is what git calls the one worktree of a folder of LinkApart.
const worktreeName = "tree"

// LinkApart gives a git folder of InitApart a worktree, in which a branch is checked out, and says where
// git keeps its data. branches are all that there are, with their commits. Its files are to be written.
func LinkApart(folder, tree, branch string, branches map[string]string) (admin string, err error) {
	admin = filepath.Join(folder, "worktrees", worktreeName)
	link := filepath.Join(tree, ".git")
	files := map[string]string{
		"worktrees/" + worktreeName + "/HEAD":      "ref: refs/heads/" + branch + "\n",
		"worktrees/" + worktreeName + "/commondir": "../..\n",
		"worktrees/" + worktreeName + "/gitdir":    link + "\n",
	}
	for name, commit := range branches {
		files["refs/heads/"+name] = commit + "\n"
	}
	if err := writeAll(folder, files); err != nil {
		return admin, err
	}
	return admin, os.WriteFile(link, []byte("gitdir: "+admin+"\n"), 0o600)
}

// script runs git commands on a git folder. index may be empty: none is needed.
func (a Apart) script(ctx context.Context, gitDir, tree, index string, s scripted, text string, args ...string) (string, error) {
	s.folder = tree
	s.settings = []string{"core.excludesFile=/dev/null", "core.attributesFile=/dev/null"}
	s.environ = append(aside(), "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+gitDir, "XDG_CONFIG_HOME="+gitDir, "GIT_ATTR_NOSYSTEM=1",
		"GIT_DIR="+gitDir, "GIT_WORK_TREE="+tree, "GIT_INDEX_FILE="+index)
	return Repository{Launcher: a.Launcher}.script(ctx, s, text, args...)
}

// Take takes a pack into a git folder of InitApart, as Repository.Take does, and returns the name of its
// file. holds is a commit that it brings.
func (a Apart) Take(ctx context.Context, gitDir string, pack *os.File, holds string, needs []string) (name string, err error) {
	if _, err := objectsOf(pack); err != nil {
		return "", err
	}
	says, err := a.script(ctx, gitDir, gitDir, "", scripted{in: pack, long: true}, takeScript, append([]string{"pack", holds}, needs...)...)
	_, id, named := strings.Cut(strings.TrimSpace(says), "\t")
	if err == nil && (!named || !ValidID(id)) {
		err = fmt.Errorf("git index-pack says %q, which is not understood", says)
	}
	return filepath.Join(PackFolder(gitDir), "pack-"+id+".pack"), takeError(err)
}

// PackFolder is where a git folder keeps its packs.
func PackFolder(gitDir string) string { return filepath.Join(gitDir, "objects", "pack") }

// Repack makes one pack of all packs of a git folder of InitApart.
func (a Apart) Repack(ctx context.Context, gitDir string) error {
	_, err := a.script(ctx, gitDir, gitDir, "", scripted{long: true}, "git repack -a -d -k -q")
	return err
}

// fillScript makes files those of the commit $1. $2 is what the index is to hold, $3 a file for the index
// as it is before that, and $4 says that other files are to go.
const fillScript = `
git read-tree --reset -u "$1" || exit
[ -z "$4" ] || git clean -ffdxq || exit
cp -p "$GIT_INDEX_FILE" "$3" || exit
[ "$1" = "$2" ] || git reset -q`

// Fill makes the files of a worktree of LinkApart those of a commit; its index holds what is committed,
// head. What the index was with all those files is written to the file kept. clean removes all other
// files. An error may leave some files.
func (a Apart) Fill(ctx context.Context, admin, tree, head, files, kept string, clean bool) error {
	mark := ""
	if clean {
		mark = "clean"
	}
	_, err := a.script(ctx, admin, tree, filepath.Join(admin, "index"), scripted{long: true}, fillScript, files, head, kept, mark)
	return err
}

// Lay writes the files of a commit to a folder, as they are; index is a file for git's index of them.
func (a Apart) Lay(ctx context.Context, gitDir, folder, index, commit string) error {
	_, err := a.script(ctx, gitDir, folder, index, scripted{long: true}, `git read-tree --reset -u "$1"`, commit)
	return err
}

// Now is what a worktree holds at its end.
type Now struct {
	Was   string   // the commit of all files that it began with
	Base  string   // the commit that its branch began at
	Head  string   // the commit that is checked out
	Other []string // commits of other branches
	// Repositories are the submodules that it began with: git does not look into them.
	Repositories []string
}

// packUpScript commits all files and packs what is new. $1 is the commit of all files before, $2 the commit
// that is checked out, $3 the file for the pack, $4 says that there are new commits; the others are
// paths that are left out. What else is packed, and what is not, is read.
const packUpScript = `
was=$1 head=$2 pack=$3 moved=$4; shift 4
git add --all -- :/ "$@" && tree=$(git write-tree) || exit
trees=$(git rev-parse "$was^{tree}" "$head^{tree}") || exit
before=${trees%%[!0-9a-f]*} committed=${trees##*[!0-9a-f]}
[ -n "$moved" ] || [ "$tree" != "$before" ] || exit 0
if [ "$tree" = "$committed" ]; then files=$head
elif [ "$tree" = "$before" ]; then files=$was
else files=$(git commit-tree "$tree" -p "$head" -m "What was not committed") || exit
fi
{ echo "$files"; cat; } | git pack-objects -q --revs --thin --stdout --delta-base-offset --shallow >"$pack" || exit
printf '%s\000' "$files"
git diff-tree -r -z --raw --full-index --no-renames "$was" "$files"`

// PackUp commits, on no branch, all files of a worktree, committed or not, but for ignored ones, and
// packs what is new of its commits. gitDir reads the objects of the worktree; index is that of Fill.
// An empty commit says that all is as it was. differences is what differs from Was.
func (a Apart) PackUp(ctx context.Context, gitDir, tree, index string, now Now, pack string) (files string, differences []Difference, err error) {
	moved := ""
	if now.Head != now.Base || len(now.Other) > 0 {
		moved = "moved"
	}
	in, err := wanted(append([]string{now.Head}, now.Other...), []string{now.Base, now.Was})
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	own := filepath.Join(gitDir, "index")
	if err := CopyIndex(index, own); err != nil {
		return "", nil, err
	}
	args := append([]string{now.Was, now.Head, pack, moved}, excluded(now.Repositories)...)
	text, err := a.script(ctx, gitDir, tree, own, scripted{in: in, long: true}, packUpScript, args...)
	if err != nil || text == "" {
		return "", nil, err
	}
	files, rest, _ := strings.Cut(text, "\x00")
	if rest != "" {
		differences, err = differencesIn(rest)
	}
	return files, differences, err
}

// mostRefs bounds what is read of a list of branches, in bytes.
const mostRefs = 4 << 20

// RefsApart reads what is checked out in a worktree of LinkApart, and all its branches with their commits,
// without git: others may have written there. What it does not understand is left out; the commit is
// empty where none is checked out.
func RefsApart(folder, admin string) (head string, branches map[string]string) {
	branches = map[string]string{}
	packed, _ := regular.Read(filepath.Join(folder, "packed-refs"), mostRefs)
	for line := range strings.Lines(string(packed)) {
		commit, name, found := strings.Cut(strings.TrimSpace(line), " refs/heads/")
		if found && ValidID(commit) {
			branches[name] = commit
		}
	}
	heads, looked := filepath.Join(folder, "refs", "heads"), 0
	_ = filepath.WalkDir(heads, func(path string, entry fs.DirEntry, err error) error {
		if looked++; looked > mostEntries {
			return fs.SkipAll
		}
		if err != nil || !entry.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is left out
		}
		text, _ := regular.Read(path, 100)
		if name, err := filepath.Rel(heads, path); err == nil && ValidID(strings.TrimSpace(string(text))) {
			branches[filepath.ToSlash(name)] = strings.TrimSpace(string(text))
		}
		return nil
	})
	text, _ := regular.Read(filepath.Join(admin, "HEAD"), 4096)
	head = strings.TrimSpace(string(text))
	if name, is := strings.CutPrefix(head, "ref: refs/heads/"); is {
		head = branches[name]
	}
	if !ValidID(head) {
		head = ""
	}
	return head, branches
}
