//go:build unix

package conventions

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// place is where commands and skills may stand, as a folder below the checkout's top or, with home,
// below the user's.
type place struct {
	name, folder string
	home         bool
}

var commandPlaces = []place{
	{"the folder's own", "app/.pawl/commands", false},
	{"the folder's of Claude Code", "app/.claude/commands", false},
	{"the top's own", ".pawl/commands", false},
	{"the top's of Claude Code", ".claude/commands", false},
	{"the user's", "config/commands", true},
}

var skillPlaces = []place{
	{"the folder's own", "app/.pawl/skills", false},
	{"the folder's of Claude Code", "app/.claude/skills", false},
	{"the folder's of all", "app/.agents/skills", false},
	{"the top's own", ".pawl/skills", false},
	{"the top's of Claude Code", ".claude/skills", false},
	{"the top's of all", ".agents/skills", false},
	{"the user's", "config/skills", true},
}

// put lays files into a place and makes the stage stand in the checkout's folder app.
func put(t *testing.T, s *harness.Stage, p place, files map[string]string) {
	t.Helper()
	root := s.Dir
	if p.home {
		root = s.Home
	}
	placed := map[string]string{}
	for name, text := range files {
		placed[filepath.Join(p.folder, name)] = text
	}
	lay(t, root, placed)
	lay(t, s.Dir, map[string]string{"app/main.go": "package main\n"})
	s.Dir = filepath.Join(s.Dir, "app")
}

func TestEachFormOfACommandIsTakenInEachPlace(t *testing.T) {
	t.Parallel()
	forms := map[string]struct{ file, text, prompt, gets string }{
		"plain":        {"plain.md", "Look at it: $ARGUMENTS", "/plain all of it", "Look at it: all of it"},
		"frontmatter":  {"front.md", "---\ndescription: d\nargument-hint: [a] [b]\n---\nFirst $1, then $2.", "/front one \"two words\"", "First one, then two words."},
		"not YAML":     {"loose.md", "---\ndescription: Fix: all\n---\nFix it.", "/loose", "Fix it."},
		"in a folder":  {"front/end/test.md", "Test the front.", "/front:end:test", "Test the front."},
		"last word":    {"back/check.md", "Check the back.", "/check", "Check the back."},
		"a file":       {"file.md", "Read @main.go well.", "/file", "package main"},
		"a program":    {"program.md", "There is: !`ls`", "/program", "There is: main.go"},
		"no program":   {"writes.md", "!`touch made.txt`", "/writes", "needs a person's yes"},
		"with a BOM":   {"bom.md", "\ufeff---\r\ndescription: d\r\n---\r\nWindows.", "/bom", "Windows."},
		"no arguments": {"none.md", "Nothing to fill.", "/none but these", "ARGUMENTS: but these"},
	}
	for _, p := range commandPlaces {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, f := range forms {
				files[f.file] = f.text
			}
			s := stage(t, nil)
			put(t, s, p, files)
			for name, f := range forms {
				_, said, errs := told(t, s, f.prompt)
				require.Contains(t, said, f.gets, name)
				require.NotContains(t, errs, "not used", name)
			}
			require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"))
		})
	}
}

func TestEachFormOfASkillIsTakenInEachPlace(t *testing.T) {
	t.Parallel()
	forms := map[string]struct{ text, line string }{
		"short":   {"---\nname: short\ndescription: does little\n---\nThe short one.", "- short: does little"},
		"whole":   {"---\nname: whole\ndescription: >-\n  does all\n  of it\nlicense: MIT\ncompatibility: needs git\nmetadata:\n  author: me\nallowed-tools: Read Bash(git:*)\n---\nThe whole one.", "- whole: does all of it"},
		"no-yaml": {"---\nname: no-yaml\ndescription: Use it when: always\n---\nThe loose one.", "- no-yaml: Use it when: always"},
	}
	for _, p := range skillPlaces {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for name, f := range forms {
				files[name+"/SKILL.md"] = f.text
				files[name+"/more.md"] = "More of " + name
			}
			s := loading(t, "whole")
			put(t, s, p, files)
			request, said, errs := told(t, s, "go on")
			require.NotContains(t, errs, "not used")
			for name, f := range forms {
				require.Contains(t, request.System, f.line, name)
			}
			require.NotContains(t, said, "The short one.", "a body comes when it is asked for")
			second := s.Server.AwaitNth(t, 2, modeltest.FromParent)
			require.Contains(t, fmt.Sprint(second.ResultsOf("skill")), "The whole one.")
			require.Contains(t, fmt.Sprint(request.ResultsOf("read")), "More of whole", "its files can be read, wherever they are")
			_, said, _ = told(t, s, "/short now")
			require.Contains(t, said, "The short one.")
		})
	}
}
