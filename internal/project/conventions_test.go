package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
)

// manyConventions lays 100 commands and 100 skills with two more files each into a folder.
func manyConventions(t testing.TB, b *base.Base) {
	t.Helper()
	lay := func(name, text string) {
		path := filepath.Join(b.World.Folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		old := time.Now().Add(-time.Hour)
		require.NoError(t, os.Chtimes(path, old, old))
	}
	for i := range 100 {
		lay(fmt.Sprintf(".claude/commands/c%d.md", i), "---\ndescription: does things\nargument-hint: [a]\nallowed-tools: Bash(git add:*), Read\n---\n"+strings.Repeat("Do it well. ", 200)+"\n!`git status`\n")
		skill := fmt.Sprintf(".claude/skills/s%d/", i)
		lay(skill+"SKILL.md", fmt.Sprintf("---\nname: s%d\ndescription: %s\nlicense: MIT\n---\n%s", i, strings.Repeat("word ", 60), strings.Repeat("How it is done. ", 200)))
		lay(skill+"scripts/run.py", strings.Repeat("print()\n", 300))
		lay(skill+"references/more.md", strings.Repeat("more\n", 300))
	}
}

func TestWhatIsBelowAFolderIsDigestedByItsContent(t *testing.T) {
	b := estate(t)
	manyConventions(t, b)
	folder := b.World.Folder
	look := newTrees()
	contents := func() map[string]string { return look.conventions(folder, "") }
	before := contents()
	require.Len(t, before, 2)
	require.Equal(t, before, newTrees().conventions(folder, ""))
	change := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime())) // as somebody who hides it would
	}
	change(".claude/skills/s7/scripts/run.py", strings.Repeat("evil()\n\n", 300))
	after := contents()
	require.NotEqual(t, before[skillsFile], after[skillsFile])
	require.Equal(t, before[commandsFile], after[commandsFile])
	change(".claude/commands/c7.md", strings.Repeat("x", 2600))
	require.NotEqual(t, before[commandsFile], contents()[commandsFile])
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".claude/skills/s7/new.sh"), nil, 0o600))
	require.NotEqual(t, after[skillsFile], contents()[skillsFile])
	require.Equal(t, contents(), newTrees().conventions(folder, ""))
}

func TestLinksAndPipesAreDigestedAndNotFollowedOut(t *testing.T) {
	b := estate(t)
	folder, outside := b.World.Folder, t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, ".agents/skills/one"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".agents/skills/one/SKILL.md"), []byte("x"), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(folder, ".claude/commands"), 0o700))
	require.NoError(t, os.Symlink("../.agents/skills", filepath.Join(folder, ".claude/skills")))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(folder, ".agents/skills/out")))
	require.NoError(t, os.Symlink(".", filepath.Join(folder, ".agents/skills/one/round")))
	look := newTrees()
	content := look.conventions(folder, "")[skillsFile]
	require.Contains(t, content, ".claude/skills/one/SKILL.md\x00")
	require.Contains(t, content, ".agents/skills/out\x00leads out")
	require.NotContains(t, content, "secret")
	require.Equal(t, content, look.conventions(folder, "")[skillsFile])
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".agents/skills/one/SKILL.md"), []byte("y"), 0o600))
	require.NotEqual(t, content, look.conventions(folder, "")[skillsFile])
}

func BenchmarkConventions(b *testing.B) {
	e := estate(b)
	manyConventions(b, e)
	newest := filepath.Join(e.World.Folder, ".mcp.json")
	lay(e, b, ".mcp.json", "{}")
	require.Eventually(b, func() bool { return stampOf(newest).rested() }, time.Minute, settled/10, "what is new is read each time")
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			p := &Project{folder: e.World.Folder}
			p.addConventions(begun(e))
			p.complete()
		}
	})
	b.Run("around", func(b *testing.B) {
		look := newTrees()
		look.conventions(e.World.Folder, "")
		for b.Loop() {
			look.conventions(e.World.Folder, "")
		}
	})
	for _, part := range []struct {
		name string
		do   func(p *Project)
	}{
		{"parts", func(p *Project) { readParts(e, false) }},
	} {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				part.do(nil)
			}
		})
	}
}

func TestFilesOfASkillAreCounted(t *testing.T) {
	b := estate(t)
	manyConventions(t, b)
	require.NoError(t, os.WriteFile(filepath.Join(b.World.Folder, ".claude/skills/s1/tool"), []byte("x"), 0o700)) //nolint:gosec // it is to be run
	p := &Project{folder: b.World.Folder}
	p.addConventions(begun(b))
	p.complete()
	for _, s := range p.Skills().Skills {
		others, scripts := p.BesideSkill(s)
		switch s.Name {
		case "s1":
			require.Equal(t, []int{3, 2}, []int{others, scripts})
		default:
			require.Equal(t, []int{2, 1}, []int{others, scripts}, s.Name)
		}
	}
	require.Contains(t, strings.Join(p.parts[skillsFile].Says, "\n"), "    with 3 other files, of which 2 can be run")
}

func begun(b *base.Base) *conventions {
	read, known := Begin(b.World.Folder, b.Folders)
	known(b.Models)
	return <-read
}

// A file that changes between its digest and its use is not used.
func TestWhatChangesWhileItIsReadIsNotUsed(t *testing.T) {
	b := estate(t)
	lay(b, t, ".claude/commands/a.md", "one")
	lay(b, t, ".claude/commands/b.md", "fine")
	lay(b, t, ".claude/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\none")
	p := &Project{folder: b.World.Folder}
	p.addConventions(begun(b))
	lay(b, t, ".claude/commands/a.md", "two")
	lay(b, t, ".claude/skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\ntwo")
	require.Len(t, p.Commands().Commands, 1)
	require.Empty(t, p.Skills().Skills)
	require.Contains(t, p.WrongConventions(), "it changed while Pawl was opened here")
}

// What lies beyond the limit of what is looked at is not used either, with a line that says why.
func TestASkillWhoseFilesAreTooManyToLookAtIsNotUsed(t *testing.T) {
	b := estate(t)
	for _, name := range []string{"a", "m", "z"} {
		lay(b, t, ".claude/skills/"+name+"/SKILL.md", "---\nname: "+name+"\ndescription: d\n---\none")
	}
	for i := range treeFiles {
		require.NoError(t, os.WriteFile(filepath.Join(b.World.Folder, fmt.Sprintf(".claude/skills/m/f%d", i)), nil, 0o600))
	}
	p := &Project{folder: b.World.Folder}
	p.addConventions(begun(b))
	usable := p.Skills().Skills
	require.Len(t, usable, 1)
	require.Equal(t, "a", usable[0].Name)
	require.Contains(t, p.WrongConventions(), "more than 5,000 files are beside it")
	require.Contains(t, p.WrongConventions(), "and 1 more")
}
