package process

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// author lets git commit without settings of its own.
var author = []string{
	"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
}

// checkedOut makes the cage's folder a checkout with a commit.
func (c cage) checkedOut(t *testing.T) cage {
	t.Helper()
	open := c
	open.sandbox.Mode = sandbox.Off
	open.says(t, launch.Group, "git init -q -b main . && echo x > x && git add x && git commit -q -m first", author...)
	return c
}

func TestGitWorksInTheSandbox(t *testing.T) {
	needsLandlock(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t).checkedOut(t)
		c.says(t, mode, `set -e
echo y > y && git add y && git commit -q -m second && git checkout -q -b side && git worktree add -q -b other wt && git stash list
cd wt && echo z > z && git add z && git commit -q -m third && git log --oneline main..other`, author...)
		require.NoError(t, os.Mkdir(c.folder+"/sub", 0o755))
		below := c
		below.folder = c.folder + "/sub"
		below.says(t, mode, "echo s > s && git add s && git commit -q -m 'from below' && git tag t", author...)
	})
}

func TestGitWorksInAWorktreeOutsideOfItsRepository(t *testing.T) {
	needsLandlock(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t).checkedOut(t)
		open := c
		open.sandbox.Mode = sandbox.Off
		open.says(t, launch.Group, "git worktree add -q -b other ../wt", author...)
		wt := c
		wt.folder = filepath.Join(filepath.Dir(c.folder), "wt")
		wt.says(t, mode, "echo z > z && git add z && git commit -q -m third && git checkout -q -b fourth && git gc -q", author...)
		require.NotZero(t, wt.run(t, mode, "echo bad > ../in/x").ExitCode, "the other checkout is not this one's")
	})
}

// What makes git run a program is not a command's to change.
func TestInANamespaceGitsSettingsAndHooksAreFrozen(t *testing.T) {
	for name, line := range map[string]string{
		"settings": `git config core.pager x`, "settings directly": `echo x >> .git/config`, "settings moved over": `echo x > x && mv -f x .git/config`,
		"settings moved away": `mv .git/config .git/other`, "settings removed": `rm -f .git/config`,
		"settings linked": `ln .git/config x && echo x >> x`,
		"a hook":          `echo x > .git/hooks/pre-commit`, "a hook linked": `ln -s ../../x .git/hooks/pre-commit`, "other hooks": `mv .git/hooks .git/h && mkdir .git/hooks`,
		"another git folder":   `cp -r .git g && mv .git old && mv g .git`,
		"another folder":       `cp -r . ../copy && mv ../in ../old && mv ../copy ../in`,
		"over its real path":   `echo x >> $(pwd -P)/.git/config`,
		"over the root":        `echo x >> /proc/self/root$PWD/.git/config`,
		"from the parent":      `cd .. && echo x >> in/.git/config`,
		"by unmounting":        `umount .git/config; umount -l .git/config; echo x >> .git/config`,
		"by remounting":        `mount -o remount,rw,bind .git/config; echo x >> .git/config`,
		"in a namespace":       `unshare -r -m sh -c 'umount -l .git/config; echo x >> .git/config'`,
		"in pid 1's namespace": `nsenter -t 1 -m sh -c 'echo x >> .git/config'`,
		"Pawl's settings":      `echo x >> .pawl/config.toml`,
		"Pawl's folder":        `mv .pawl .p`,
		"Pawl's servers":       `echo x > .mcp.json`,
		"Pawl's own":           `echo x > own/config.toml`,
		"Pawl's own moved":     `mv own o`,
	} {
		if os.Getenv(unprivileged) != "" && !slices.Contains([]string{"settings", "another git folder", "by unmounting", "in a namespace"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCage(t).checkedOut(t)
			write(t, c.folder, ".pawl/config.toml", "")
			write(t, c.folder, ".mcp.json", "{}")
			write(t, c.folder, "own/config.toml", "")
			require.NoError(t, os.RemoveAll(c.folder+"/.git/hooks"), "it is made where it is missing")
			before := heldAt(t, c.folder+"/.git/config")
			c.sandbox.Own = []string{c.folder + "/own"}
			c.sandbox.Write = []string{filepath.Dir(c.folder)} // so that the folder itself could be moved
			done := c.run(t, launch.Namespace, line, author...)
			text, _ := done.Output.Text(most)
			require.NotZero(t, done.ExitCode, text)
			require.Equal(t, before, heldAt(t, c.folder+"/.git/config"))
			hooks, err := os.ReadDir(c.folder + "/.git/hooks")
			require.NoError(t, err)
			require.Empty(t, hooks)
			require.Empty(t, heldAt(t, c.folder+"/.pawl/config.toml"))
			require.Equal(t, "{}", heldAt(t, c.folder+"/.mcp.json"))
			require.Empty(t, heldAt(t, c.folder+"/own/config.toml"))
		})
	}
}

// What git obeys elsewhere than in its config is not a command's either, also where it is
// not there yet: settings of worktrees, submodules, included files.
func TestInANamespaceNoNewSettingsOfGitsCanBeMade(t *testing.T) {
	for name, line := range map[string]string{
		"of the worktree":           `echo x > .git/config.worktree`,
		"by git":                    `git config --worktree core.pager x`,
		"moved there":               `echo x > x; mv -f x .git/config.worktree`,
		"of another worktree":       `echo x > .git/worktrees/wt/config.worktree`,
		"of another worktree's git": `echo ../../../evil > .git/worktrees/wt/commondir`,
		"of a worktree moved":       `mv .git/worktrees .git/w && mkdir -p .git/worktrees/wt && echo ../../../evil > .git/worktrees/wt/commondir`,
		"of a submodule":            `echo x >> .git/modules/a/lib/config`,
		"of a submodule's worktree": `echo x >> .git/modules/a/lib/config.worktree`,
		"a submodule's hook":        `echo x > .git/modules/a/lib/hooks/pre-commit`,
		"of one in a submodule":     `echo x >> .git/modules/a/lib/modules/deep/config`,
		"in an included file":       `echo x >> included`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCage(t).checkedOut(t)
			open := c
			open.sandbox.Mode = sandbox.Off
			open.says(t, launch.Group, `set -e
git worktree add -q -b other ../out/wt && git config extensions.worktreeConfig true && echo '[a]' > included
for m in .git/modules/a/lib .git/modules/a/lib/modules/deep; do mkdir -p $m/objects $m/refs && echo x > $m/HEAD && echo '[a]' > $m/config; done`, author...)
			c.sandbox.Keep = []string{c.folder + "/included"}
			before := open.says(t, launch.Group, settingsOfGit)
			done := c.run(t, launch.Namespace, line, author...)
			text, _ := done.Output.Text(most)
			require.NotZero(t, done.ExitCode, text)
			require.Equal(t, before, open.says(t, launch.Group, settingsOfGit))
			open.says(t, launch.Group, "git config --worktree core.pager less && git status --short && git -C ../out/wt status --short", author...)
			c.says(t, launch.Namespace, "git worktree add -q ../in/mine && git worktree remove mine && git commit -q --allow-empty -m more", author...)
		})
	}
}

// settingsOfGit shows all that git obeys; an empty file is none.
const settingsOfGit = `find .git/config* .git/commondir .git/worktrees .git/modules included -name index -o -type f -size +0 -exec sh -c 'echo {}; cat {}' ';' 2>/dev/null | sort`

// A file with which git would obey another folder cannot be there before: it is taken
// away.
func TestAGitFolderThatACommandDivertsIsPutRight(t *testing.T) {
	needsLandlock(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t).checkedOut(t)
		done := c.run(t, mode, "cp -r .git evil && echo ../evil > .git/commondir", author...)
		require.NoFileExists(t, c.folder+"/.git/commondir")
		require.Contains(t, done.Sandboxed, "the sandbox removed "+c.folder+"/.git/commondir")
		require.Empty(t, c.run(t, mode, "true").Sandboxed)
	})
}

// Landlock lets nobody mount. Where there is none, the command has no right to.
func TestInANamespaceTheFrozenStaysSoWithoutLandlock(t *testing.T) {
	if err := (trial{mode: launch.Namespace, mounts: true}).answer(t.Context()); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	write(t, folder, "f/kept", "as it was\n")
	for _, line := range []string{
		"echo bad > kept", "umount . ; umount -l $PWD; cd /; echo bad > $OLDPWD/kept", "mount -o remount,rw,bind $PWD; echo bad > kept",
		"unshare -r -m sh -c 'umount -l $PWD; cd /; echo bad > $OLDPWD/kept'", "unshare -r -m sh -c 'mount -o remount,rw,bind $PWD; echo bad > kept'",
		"nsenter -t 1 -m sh -c 'umount -l $PWD'; echo bad > kept", "cd .. && mv f g && mkdir f && echo bad > f/kept",
	} {
		c := shellCommand(line)
		c.Folder = filepath.Join(folder, "f")
		how := helperSetup{mode: launch.Namespace, confinement: &launch.Confinement{Freeze: []string{c.Folder}}}
		p := newProcess(t.Context(), c, how, os.Environ(), "frozen")
		require.NoError(t, p.live())
		require.NotZero(t, p.report.Code, line)
		require.Equal(t, "as it was\n", heldAt(t, folder+"/f/kept"), line)
	}
}

func heldAt(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
