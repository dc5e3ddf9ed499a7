package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written is the site of this checkout.
func written(t *testing.T) (s *site, folder string) {
	t.Helper()
	s, err := read("../..")
	require.NoError(t, err)
	folder = t.TempDir()
	require.NoError(t, s.write(folder))
	return s, folder
}

// checkout is a folder with these files.
func checkout(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "docs"), 0o755))
	require.NoError(t, put(root, files))
	return root
}

func TestAllThatThePagesReferToIsInTheSite(t *testing.T) {
	s, folder := written(t)
	followed := 0
	for _, p := range s.pages {
		text, err := os.ReadFile(filepath.Join(folder, p.Out()))
		require.NoError(t, err)
		require.Contains(t, string(text), "<title>"+p.Title)
		for _, found := range regexp.MustCompile(`(?:href|src)="([^"#:]+)(?:#([^"]*))?"`).FindAllStringSubmatch(string(text), -1) {
			to := filepath.Join(folder, filepath.Dir(p.Out()), found[1])
			require.FileExists(t, to, "%s refers to %s", p.path, found[1])
			if found[2] != "" {
				there, err := os.ReadFile(to)
				require.NoError(t, err)
				require.Contains(t, string(there), `id="`+found[2]+`"`, "%s refers to %s#%s", p.path, found[1], found[2])
			}
			followed++
		}
		require.NotRegexp(t, `(?:href|src)="[^":]*\.md[#"]`, string(text), p.path)
		require.NotRegexp(t, `<(script|img|link)[^>]*"https?:`, string(text), "%s needs the network", p.path)
	}
	require.Greater(t, followed, 500)
}

func TestABrokenLinkIsAnErrorThatNamesIt(t *testing.T) {
	files := map[string]string{
		"README.md":      "# Us\n\nHello.\n\n[a](docs/a.md#here) [ours](docs/) [there](https://example.com) ![p](docs/p.svg)\n",
		"docs/README.md": "# All\n\n[a](a.md)\n",
		"docs/a.md":      "# A\n\n## Here\n\n[up](../README.md) [down](#here)\n",
		"docs/p.svg":     "<svg/>",
	}
	s, err := read(checkout(t, files))
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, s.write(folder))
	text, err := os.ReadFile(filepath.Join(folder, "index.html"))
	require.NoError(t, err)
	for _, link := range []string{"docs/a.html#here", "docs/index.html", "https://example.com", "docs/p.svg"} {
		require.Contains(t, string(text), `="`+link+`"`)
	}
	require.FileExists(t, filepath.Join(folder, "docs/p.svg"))
	for _, link := range []string{"gone.md", "a.md#gone", "#gone", "../../etc/passwd", "gone.svg", "../docs"} {
		files["docs/b.md"] = "# B\n\n[x](" + link + ")\n"
		if link == "../docs" {
			delete(files, "docs/README.md")
			files["README.md"] = "# Us\n"
		}
		_, err := read(checkout(t, files))
		require.ErrorContains(t, err, "docs/b.md refers to "+link)
	}
}

// What looks like markup in a text is a text.
func TestAPageWritesNoMarkupOfItsOwn(t *testing.T) {
	s, err := read(checkout(t, map[string]string{"README.md": "# A <script>x</script>\n\n<b onclick=x>hi</b> <script>y</script>\n\n```sh\n<i># c\n```\n\n## B\n\n## B\n"}))
	require.NoError(t, err)
	html, err := s.pages[0].HTML()
	require.NoError(t, err)
	for _, tag := range []string{"<script", "<b", "<i>"} {
		require.NotContains(t, string(html), tag)
	}
	require.Contains(t, string(html), `id="b"`)
	require.Contains(t, string(html), `id="b-1"`)
	index, err := s.index()
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(index, "\n"))
}
