package cli

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"

	"pawl/docs"
	"pawl/internal/base"
)

// pages are what people read, by its path, in order.
func pages(t *testing.T) (paths []string, texts map[string]string) {
	t.Helper()
	t.Chdir("../..")
	paths, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.Len(t, paths, len(docs.Pages()), "each page is in the program")
	decisions, err := filepath.Glob("docs/decisions/*.md")
	require.NoError(t, err)
	paths = append(append(paths, decisions...), "README.md", "CONTRIBUTING.md", "SECURITY.md", "PERFORMANCE.md", "CHANGELOG.md")
	texts = map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	return paths, texts
}

var (
	fence    = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	codeSpan = regexp.MustCompile("`(pawl [^`]+)`")
)

// anchors are the marks that a page's headings are, as GitHub makes them.
func anchors(text string) (all []string) {
	for _, found := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, found[1]))
	}
	return all
}

func TestEveryLinkOfThePagesLeadsSomewhere(t *testing.T) {
	paths, texts := pages(t)
	followed := 0
	for _, path := range paths {
		for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(texts[path], ""), -1) {
			target, err := url.Parse(found[1])
			require.NoError(t, err, path)
			if target.Scheme != "" {
				continue // somebody else's
			}
			file := path
			if target.Path != "" {
				file = filepath.Join(filepath.Dir(path), target.Path)
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err, "%s: %s", path, found[1])
			if target.Fragment != "" {
				require.Contains(t, anchors(string(text)), target.Fragment, "%s: %s", path, found[1])
			}
			followed++
		}
	}
	require.Greater(t, followed, 50)
}

func TestTheREADMEIsShortAndLeadsToEveryPage(t *testing.T) {
	_, texts := pages(t)
	require.LessOrEqual(t, strings.Count(texts["README.md"], "\n"), 250)
	for _, page := range docs.Pages() {
		require.Contains(t, texts["README.md"], "["+page.Subject+"](docs/"+page.Subject+".md)")
	}
}

// A command in the middle of a sentence is taken as far as its flags.
func TestEveryCommandThatThePagesNameIsACommandLine(t *testing.T) {
	paths, texts := pages(t)
	tried := 0
	for _, path := range paths {
		if path == "CHANGELOG.md" {
			continue // it names what there was
		}
		for _, found := range codeSpan.FindAllStringSubmatch(strings.ReplaceAll(fence.ReplaceAllString(texts[path], ""), "\n", " "), -1) {
			for _, args := range pawlCalls(t, found[1]) {
				tried++
				if len(args) > 1 || !namesCommand(args[0]) { // a name alone may leave out what it is about
					requireParsed(t, path, args)
				}
			}
		}
	}
	require.Greater(t, tried, 50)
}

func TestEveryCommandThatThePagesShowIsACommandLine(t *testing.T) {
	paths, texts := pages(t)
	tried := 0
	for _, path := range paths {
		for _, block := range fence.FindAllStringSubmatch(texts[path], -1) {
			for line := range strings.Lines(block[2]) {
				if block[1] != "sh" || !strings.Contains(line, "pawl") {
					continue
				}
				for _, args := range pawlCalls(t, line) {
					tried++
					requireParsed(t, path, args)
				}
			}
		}
	}
	require.Greater(t, tried, 25)
}

// pawlCalls are the words behind pawl in a line of a shell.
func pawlCalls(t *testing.T, line string) (calls [][]string) {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	require.NoError(t, err, line)
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "pawl" {
			return true
		}
		var args []string
		for _, word := range call.Args[1:] {
			var b strings.Builder
			require.NoError(t, syntax.NewPrinter().Print(&b, word))
			args = append(args, strings.Trim(b.String(), `"'`))
		}
		calls = append(calls, args)
		return true
	})
	return calls
}

func namesCommand(word string) bool {
	return slices.Contains(commandNames(newCommandTree(&base.World{})), word)
}

// requireParsed takes the words behind pawl as the program does.
func requireParsed(t *testing.T, path string, args []string) {
	t.Helper()
	read, err := parsed(args...)
	require.NoError(t, err, "%s: pawl %q", path, args)
	root := newCommandTree(&base.World{})
	isChat := read.cmd.Name() == root.Name() && !read.cmd.Flags().Changed("print")
	require.True(t, !isChat || meansPrompt(read.words, root), "%s: pawl %q", path, args)
}

func TestEveryMakeTargetThatThePagesShowIsThere(t *testing.T) {
	paths, texts := pages(t)
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	for _, path := range paths {
		for _, found := range regexp.MustCompile("(?m)`make ([a-z]+)|^    make ([a-z]+)|^make ([a-z]+) +#").FindAllStringSubmatch(texts[path], -1) {
			target := strings.Join(found[1:], "")
			require.Contains(t, string(makefile), "\n"+target+":", "%s: make %s", path, target)
		}
	}
}
