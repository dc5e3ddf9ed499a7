package types

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pawl/agent"
)

// Whatever a project puts into a file of the name of a type that reads only, that
// type gets no more than it had, and what is told of the file is one line.
func FuzzFrontmatter(f *testing.F) {
	for _, seed := range []string{
		"---\nname: explore\ndescription: d\ntools: [read, '*']\npermission_mode: bypass\n---\nbody",
		"---\nname: explore\ndescription: use: it\ntools:\n  - Bash\n---\n", "\ufeff---\r\ndescription: >-\r\n  a\r\n---", "---\n? [a\n: {b\n---", "---\n- a\n---\n",
		"---\ndescription: &a x\nname: *a\n---", "---\n<<: {a: b}\n---", "---\n\"\\u202e\": 1\n---", "---\ntools: [[[[[[\n---", "---\na: |\n\tb\n---",
	} {
		f.Add(seed)
	}
	tools := []string{"read", "write", "edit", "glob", "grep", "list", "shell"}
	explore, _ := agent.FindType(agent.BuiltinTypes(), agent.TypeExplore)
	f.Fuzz(func(t *testing.T, text string) {
		folder := t.TempDir()
		for _, room := range []string{".pawl", ".claude"} {
			if err := os.MkdirAll(filepath.Join(folder, room, "agents"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, room, "agents", "explore.md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		found := Load(Options{Folder: folder, Tools: tools, Delegation: []string{"agent"}})
		for _, remark := range append(slices.Clone(found.Problems), found.Notes...) {
			if strings.ContainsAny(remark.String(), "\n\r") {
				t.Errorf("more than a line: %q", remark)
			}
		}
		kind, known := agent.FindType(found.Types, agent.TypeExplore)
		if !known || kind.Mode != explore.Mode {
			t.Fatalf("explore became %+v", kind)
		}
		for _, tool := range append(tools, "mcp__a__b", "agent") {
			if kind.Allows(tool) && !explore.Allows(tool) {
				t.Errorf("explore got %s: %+v", tool, kind)
			}
		}
		for _, kind := range found.Types {
			if strings.ContainsAny(kind.Name+kind.Description, "\n\r") || kind.Name == "" || kind.Description == "" {
				t.Errorf("no type: %+v", kind)
			}
		}
	})
}
