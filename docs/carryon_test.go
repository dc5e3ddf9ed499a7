package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// What is here holds what somebody reads who carries on with Pawl to what there is.

var (
	target   = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	makeCall = regexp.MustCompile(`^(?:.*&& )?make ([a-z][a-z -]*)`)
	aPath    = regexp.MustCompile(`^\.?[\w-]+(\.[\w-]+)*(/[\w.*-]+)*/?$`)
	// nameIn is a name and the file that it stands in.
	nameIn = regexp.MustCompile("`([A-Za-z]+)(?:\\(\\))?`(?: in | \\()`([\\w/.]+\\.\\w+)`")
)

// targets are those of the Makefile.
func targets(t *testing.T) (all []string) {
	t.Helper()
	for _, found := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		all = append(all, found[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", path))
	require.NoError(t, err)
	return string(text)
}

func TestMakeHelpHasALineForEachTarget(t *testing.T) {
	list := exec.CommandContext(t.Context(), "make", "-s", "-C", "..", "--no-print-directory", "help")
	out, err := list.Output()
	require.NoError(t, err)
	require.NotEmpty(t, targets(t))
	for _, name := range targets(t) {
		require.Regexp(t, `(?m)^  `+name+` +\S`, string(out), "it takes a ## comment in the Makefile")
	}
}

func TestWhatLeadsToTheFilesNamesThoseThatAreThere(t *testing.T) {
	decisions, err := filepath.Glob("decisions/*.md")
	require.NoError(t, err)
	require.Greater(t, len(decisions), 6)
	pages := []string{"CONTRIBUTING.md", ".github/pull_request_template.md"}
	for _, path := range decisions {
		pages = append(pages, "docs/"+path)
		require.LessOrEqual(t, strings.Count(read(t, "docs/"+path), "\n"), 50, "%s is one page", path)
	}
	require.LessOrEqual(t, strings.Count(read(t, "CONTRIBUTING.md"), "\n"), 120)
	tests := allTests(t)
	for _, page := range pages {
		text := read(t, page)
		for _, found := range nameIn.FindAllStringSubmatch(text, -1) {
			require.Contains(t, read(t, found[2]), found[1], "%s: %s", page, found[0])
		}
		for _, found := range codeSpan.FindAllStringSubmatch(text, -1) {
			requireThere(t, page, found[1], tests)
		}
	}
}

// requireThere follows a code span, if it names a target of make, a test or a file.
func requireThere(t *testing.T, page, span string, tests string) {
	t.Helper()
	top, _, nested := strings.Cut(span, "/")
	switch called := makeCall.FindStringSubmatch(span); {
	case called != nil:
		for name := range strings.FieldsSeq(called[1]) {
			require.Contains(t, targets(t), name, "%s: %s", page, span)
		}
	case strings.HasPrefix(span, "Test"):
		require.Contains(t, tests, "func "+strings.TrimRight(span, "….")+"", "%s: %s", page, span)
	case strings.Contains(span, "NAME") || !aPath.MatchString(span):
	case nested && (exists(top) || strings.HasPrefix(top, ".")):
		found, err := filepath.Glob(filepath.Join("..", span))
		require.NoError(t, err, page)
		require.NotEmpty(t, found, "%s: %s", page, span)
	}
}

func exists(top string) bool {
	_, err := os.Stat(filepath.Join("..", top))
	return err == nil
}

// allTests are the heads of all tests of the repository.
func allTests(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "grep", "-rhoE", "--include=*_test.go", `^func (Test|Benchmark|Fuzz)\w+`, "..").Output()
	require.NoError(t, err)
	return string(out)
}

func TestTheTemplatesAndTheDevContainerCanBeRead(t *testing.T) {
	var container struct{ Image, PostCreateCommand string }
	require.NoError(t, json.Unmarshal([]byte(read(t, ".devcontainer/devcontainer.json")), &container))
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(read(t, "go.mod"))
	require.Contains(t, container.Image, "golang:"+version[1], "the version that go.mod asks for")
	requireThere(t, "devcontainer.json", container.PostCreateCommand, "")

	forms, err := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yml")
	require.NoError(t, err)
	require.Len(t, forms, 3)
	asked := ""
	for _, path := range forms {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var form struct {
			Name, Description string
			Blank             bool `yaml:"blank_issues_enabled"`
			Body              []struct {
				Type, ID   string
				Attributes struct{ Label, Value string }
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &form), path)
		require.True(t, form.Blank || form.Name != "" && form.Description != "" && len(form.Body) > 1, path)
		for _, field := range form.Body {
			require.NotEmpty(t, field.Attributes.Label+field.Attributes.Value, path)
		}
		asked += string(text)
	}
	require.Contains(t, asked, "`pawl doctor`")
	require.Contains(t, asked, "`pawl export ID --no-content`")
}
