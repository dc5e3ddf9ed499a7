package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"

	"pawl/docs"
)

// pages are what people read, by its path, in order.
func pages(t *testing.T) (paths []string, texts map[string]string) {
	t.Helper()
	paths, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.Len(t, paths, len(docs.Pages()), "each page is in the program")
	paths = append(paths, "README.md", "CONTRIBUTING.md", "SECURITY.md", "PERFORMANCE.md", "CHANGELOG.md")
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
				if len(args) > 1 || !namesCommand(t, args[0]) { // a name alone may leave out what it is about
					requireParsed(t, path, args)
				}
			}
		}
	}
	require.Greater(t, tried, 50)
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

func namesCommand(t *testing.T, word string) bool {
	t.Helper()
	parser := newGrammar(t, &commandLine{})
	return slices.Contains(commandNames(parser.Model), word)
}

// requireParsed takes the words behind pawl as the program does, and gives the command.
func requireParsed(t *testing.T, path string, args []string) command {
	t.Helper()
	parser := newGrammar(t, &commandLine{})
	line, err := parse(parser, promptFirst(sessionBehindResume(args)))
	require.NoError(t, err, "%s: pawl %q", path, args)
	chat, isChat := typed(line).(*chatCommand)
	require.True(t, !isChat || chat.Print || meansPrompt(chat.Prompt, parser.Model), "%s: pawl %q", path, args)
	return typed(line)
}

// opensScreen says whether a command needs a terminal.
func opensScreen(c command) bool {
	switch c := c.(type) {
	case *chatCommand:
		return !c.Print
	case *demoCommand:
		return !c.Print
	case *importCommand:
		return c.Format == "" && c.Output == ""
	case *replayCommand:
		return true
	}
	return false
}

// Each line of a shell that a page shows is run as a reader would, in a checkout where
// there is one session, and a file run.json of it. What needs a terminal is only parsed.
func TestEveryCommandThatThePagesShowRuns(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("Done.") })
	r, errs, code := s.prompted(t, "-p", "audit the refunds")
	require.Equal(t, 0, code, errs)
	s.withProgramsOfThePages(t)
	paths, texts := pages(t)
	ran := 0
	for _, path := range paths {
		for _, block := range fence.FindAllStringSubmatch(texts[path], -1) {
			for line := range strings.Lines(block[2]) {
				if block[1] != "sh" || !strings.Contains(line, "pawl") {
					continue
				}
				calls := pawlCalls(t, line)
				if slices.ContainsFunc(calls, func(args []string) bool { return opensScreen(requireParsed(t, path, args)) }) {
					continue
				}
				ran++
				s.runLine(t, path, strings.TrimSpace(line), r.Session)
			}
		}
	}
	require.Greater(t, ran, 25)
}

func TestEveryMakeTargetThatThePagesShowIsThere(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	paths, texts := pages(t)
	for _, path := range paths {
		for _, found := range regexp.MustCompile("(?m)`make ([a-z]+)|^    make ([a-z]+)|^make ([a-z]+) +#").FindAllStringSubmatch(texts[path], -1) {
			target := strings.Join(found[1:], "")
			require.Contains(t, string(makefile), "\n"+target+":", "%s: make %s", path, target)
		}
	}
}

// withProgramsOfThePages puts pawl on the path, and an ssh that stays here.
func (s *stage) withProgramsOfThePages(t *testing.T) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	programs := t.TempDir()
	require.NoError(t, os.Symlink(path, filepath.Join(programs, "pawl")))
	require.NoError(t, os.WriteFile(filepath.Join(programs, "ssh"), []byte("#!/bin/sh\nshift\nexec \"$@\"\n"), 0o700))
	s.with("PATH=" + programs + ":" + os.Getenv("PATH"))
}

// runLine runs a line of a page about a session.
func (s *stage) runLine(t *testing.T, path, line, session string) {
	t.Helper()
	run := func(line string) ([]byte, error) {
		shell := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", line)
		shell.Dir, shell.Env, shell.WaitDelay = s.dir, s.env, time.Second
		if strings.Contains(line, "--input-format stream-json") {
			shell.Stdin = strings.NewReader(`{"type":"message","text":"why do the tests fail?"}` + "\n")
		}
		return shell.CombinedOutput()
	}
	if strings.Contains(line, "pawl rm") {
		other, errs, code := s.prompted(t, "-p", "to be deleted")
		require.Equal(t, 0, code, errs)
		session = other.Session
	}
	for _, pattern := range []string{"run.json", "pawl-*"} { // what lines before it wrote
		files, err := filepath.Glob(filepath.Join(s.dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			require.NoError(t, os.Remove(file))
		}
	}
	if strings.Contains(line, "run.json") && !strings.Contains(line, "-o run.json") {
		out, err := run("pawl export " + session + " --format json -o run.json")
		require.NoError(t, err, string(out))
	}
	out, err := run(strings.ReplaceAll(line, " ID", " "+session))
	require.NoError(t, err, "%s: %s\n%s", path, line, out)
}
