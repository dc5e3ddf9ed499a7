package project

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pawl/agent/commands"
	"pawl/agent/frontmatter"
	"pawl/agent/settings"
	"pawl/agent/skills"
	"pawl/agent/types"
	"pawl/internal/models"
	"pawl/internal/words"
	"pawl/tools/git"
)

// conventions are what is read of commands and skills: at once what trust depends on, and the rest
// when it is needed.
type conventions struct {
	trees    *trees
	where    frontmatter.Where
	valid    commands.Words
	contents map[string]string // of what needs trust, by file
	sums     map[string]string // of each file of that, by its whole path
	cut      []string          // the first file of each tree that has too many, where reading ended

	once     sync.Once // load
	commands commands.Found
	skills   skills.Found

	usedSkills   []skills.Skill
	usedCommands []commands.Command
}

// Begun is the reading of commands and skills, which takes the longest of all that a folder's files
// ask for where there are many.
type Begun <-chan *conventions

// Begin begins to read the commands and skills of a folder and of the user. It needs nothing that is
// opened. One Read takes what was begun; known is to be called once, with what tells of models, or nil
// if there will be no Read.
func Begin(folder string, folders settings.Folders) (begun Begun, known func(*models.Set)) {
	read, set := make(chan *conventions, 1), make(chan *models.Set, 2)
	c := &conventions{trees: newTrees(), where: frontmatter.Where{Config: folders.Config, Folder: folder}}
	all := sync.OnceValue(func() *models.Set { return <-set })
	c.valid = commands.Words{
		CheckModel: func(model string) error {
			if m := all(); m != nil {
				return m.Check(model)
			}
			return nil
		},
		ClaudeModel: func(word string) (string, bool) {
			if m := all(); m != nil {
				return m.Claude(word)
			}
			return "", false
		},
	}
	go func() {
		if top := git.Top(folder); top != folder {
			c.where.Top = top
		}
		c.look()
		read <- c
	}()
	return read, func(m *models.Set) { set <- m }
}

// look digests what needs trust.
func (c *conventions) look() {
	found := c.trees.walks(c.where.Folder, c.where.Top)
	c.contents, c.sums = digests(found), map[string]string{}
	for _, files := range found {
		for _, f := range files {
			c.sums[f.full] = f.sum
			if f.sum == notRead {
				c.cut = append(c.cut, f.full)
			}
		}
	}
}

// unusable says why nobody knows whether a command or skill is trusted; empty if its digest is as it was.
func (c *conventions) unusable(file, sum string) string {
	known, read := c.sums[file]
	inCut := slices.ContainsFunc(c.cut, func(cut string) bool { return strings.HasPrefix(cut, filepath.Dir(file)+string(os.PathSeparator)) })
	switch {
	case !read && len(c.cut) > 0, filepath.Base(file) == skills.FileName && inCut:
		return fmt.Sprintf("it is not used, because more than %s files are beside it: move what is no skill or command elsewhere", words.Grouped(treeFiles))
	case known != sum:
		return "it changed while Pawl was opened here: open it again"
	}
	return ""
}

// load reads commands and skills. What is not as it was when its digest was taken is not used: nobody
// knows whether it is trusted.
func (c *conventions) load() {
	var beside sync.WaitGroup
	beside.Go(func() {
		c.commands = commands.Load(commands.Options{Where: c.where, Reserved: commands.ScreenNames(), Words: c.valid})
	})
	c.skills = skills.Load(skills.Options{Where: c.where, Reserved: commands.ScreenNames(), Words: c.valid})
	beside.Wait()
	c.commands.Commands = slices.DeleteFunc(c.commands.Commands, func(one commands.Command) bool {
		if one.Owner != "project" {
			return false
		}
		why := c.unusable(one.File, c.commands.Sums[one.File])
		if why != "" {
			c.commands.Problems = append(c.commands.Problems, types.Remark{Where: one.Source, Text: why})
		}
		return why != ""
	})
	c.skills.Skills = slices.DeleteFunc(c.skills.Skills, func(one skills.Skill) bool {
		if one.Owner != "project" {
			return false
		}
		file := filepath.Join(one.Folder, skills.FileName)
		why := c.unusable(file, c.skills.Sums[file])
		if why != "" {
			c.skills.Problems = append(c.skills.Problems, types.Remark{Where: one.Source, Text: why})
		}
		return why != ""
	})
}

// conventions are the contents of commands and skills that need trust in a folder, by file.
func (t *trees) conventions(folder, top string) map[string]string {
	return digests(t.walks(folder, top))
}

// walks look at the commands and skills of a folder and of the top folder, by file.
func (t *trees) walks(folder, top string) map[string][]treeFile {
	found := map[string][]treeFile{}
	look := func(root, before string) {
		for _, room := range []string{".pawl", ".claude", ".agents"} {
			if room != ".agents" {
				found[before+commandsFile] = append(found[before+commandsFile], t.walk(root, path.Join(room, "commands"), false)...)
			}
			found[before+skillsFile] = append(found[before+skillsFile], t.walk(root, path.Join(room, "skills"), true)...)
		}
	}
	look(folder, "")
	if top != "" {
		look(top, atTop)
	}
	return found
}

// digests are the contents of what was found, by file, of which there is any.
func digests(found map[string][]treeFile) map[string]string {
	contents := map[string]string{}
	for key, files := range found {
		if len(files) > 0 {
			contents[key] = digest(files)
		}
	}
	return contents
}
