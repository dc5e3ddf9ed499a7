package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent/frontmatter"
)

func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return folder
}

func lines(found Found) (all []string) {
	for _, r := range append(found.Problems, found.Notes...) {
		all = append(all, r.String())
	}
	return all
}

const form = "---\nname: %s\ndescription: %s\nlicense: MIT\ncompatibility: needs python3\nmetadata:\n  author: somebody\n  version: \"1.0\"\n---\n# How\n\nDo it.\n"

func TestSkillsOfTheOpenFormLoadFromAllPlaces(t *testing.T) {
	of := func(name string) string { return fmt.Sprintf(form, name, "works on "+name) }
	top := lay(t, map[string]string{
		".claude/skills/shared/SKILL.md":       of("shared"),
		"app/.pawl/skills/a/SKILL.md":          of("a"),
		"app/.claude/skills/b/SKILL.md":        of("b"),
		"app/.claude/skills/b/scripts/run.py":  "print()",
		"app/.claude/skills/b/references/x.md": "x",
		"app/.agents/skills/c/SKILL.md":        of("c"),
		"app/.agents/skills/a/SKILL.md":        of("a"),
		"app/.agents/skills/empty/README.md":   "none",
	})
	config := lay(t, map[string]string{"skills/mine/SKILL.md": of("mine")})
	found := Load(Options{Where: frontmatter.Where{Folder: filepath.Join(top, "app"), Top: top, Config: config}})
	require.Empty(t, found.Problems)
	require.Equal(t, []string{".agents/skills/a/SKILL.md: .pawl/skills/a/SKILL.md is used instead: it has the same name"}, lines(found))
	var names []string
	for _, s := range Used(found.Skills) {
		names = append(names, s.Name+" "+s.Owner)
	}
	require.Equal(t, []string{"a project", "b project", "c project", "shared project", "mine user"}, names)
	b, _ := Find(found.Skills, "b")
	require.Equal(t, []any{"works on b", "# How\n\nDo it.", filepath.Join(top, "app/.claude/skills/b"), "b"}, []any{b.Description, b.Body, b.Folder, b.Command.Name})
	shared, _ := Find(found.Skills, "shared")
	require.Equal(t, "../.claude/skills/shared/SKILL.md", shared.Source)
	require.Len(t, found.Sums, 5)
}

func TestWhatIsAgainstTheFormIsSaid(t *testing.T) {
	folder := lay(t, map[string]string{
		".claude/skills/other-name/SKILL.md": fmt.Sprintf(form, "its-name", "d"),
		".claude/skills/title/SKILL.md":      fmt.Sprintf(form, "My Skill", "d"),
		".claude/skills/long/SKILL.md":       fmt.Sprintf(form, "long", strings.Repeat("x", 1100)),
		".claude/skills/none/SKILL.md":       "---\nname: none\n---\nbody",
		".claude/skills/Bad_Name/SKILL.md":   "---\ndescription: d\n---\nbody",
		".claude/skills/empty/SKILL.md":      "---\nname: empty\ndescription: d\n---\n",
		".claude/skills/large/SKILL.md":      strings.Repeat("x", 10<<20),
		".claude/skills/person/SKILL.md":     "---\nname: person\ndescription: d\ndisable-model-invocation: true\n---\nbody",
		".claude/skills/model/SKILL.md":      "---\nname: model\ndescription: d\nuser-invocable: false\nallowed-tools: Read\n---\nbody",
	})
	outside := lay(t, map[string]string{"s/SKILL.md": fmt.Sprintf(form, "s", "secret")})
	require.NoError(t, os.Symlink(filepath.Join(outside, "s"), filepath.Join(folder, ".claude/skills/s")))
	require.NoError(t, os.Symlink("../../.claude/skills/title", filepath.Join(folder, ".claude/skills/linked")))
	found := Load(Options{Where: frontmatter.Where{Folder: folder}})
	var names []string
	for _, s := range found.Skills {
		names = append(names, s.Name)
	}
	require.ElementsMatch(t, []string{"its-name", "title", "long", "person", "model", "linked"}, names)
	require.Len(t, found.Problems, 5, lines(found))
	all := strings.Join(lines(found), "\n")
	for _, want := range []string{`"its-name" is not that of its folder`, `name "My Skill" is left out`, "has 1100 characters", "description is missing", `name "Bad_Name"`, "it has no text", "larger than 64 KiB", "leads outside", "allowed-tools has no effect"} {
		require.Contains(t, all, want)
	}
	require.NotContains(t, all, "secret")
	var told []string
	for _, s := range ForModels(found.Skills, nil) {
		told = append(told, s.Name)
	}
	require.NotContains(t, told, "person")
	require.Len(t, Commands(found.Skills), 5, "all but one that no person starts")
	require.Len(t, ForModels(found.Skills, []string{"long", "model"}), 2)
}

func TestTheListOfSkillsStaysWithinItsBudget(t *testing.T) {
	var all []Skill
	for i := range 400 {
		all = append(all, Skill{Name: fmt.Sprintf("skill-%03d", i), Description: strings.Repeat("word ", 1+i%200)})
		if i%13 == 0 {
			require.LessOrEqual(t, utf8.RuneCountInString(List(all)), listBudget+300, i)
		}
	}
	require.Equal(t, "- a: b\n- c: d\n", List([]Skill{{Name: "a", Description: "b"}, {Name: "c", Description: "d"}}))
	text := List(all[:100])
	require.Contains(t, text, "skill-099")
	require.Contains(t, text, "skill-000: word\n", "short ones are not cut")
	require.Contains(t, text, "Longer descriptions are cut")
	require.Greater(t, utf8.RuneCountInString(text), listBudget*9/10, "what the short ones leave goes to the long ones")
	require.Contains(t, List(all), "skills are not described here")
	require.Empty(t, List(nil))
}
