package export

import (
	"bytes"
	"pawl/export/exporttest"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

func TestHostileContentStaysInItsPlace(t *testing.T) {
	s := exporttest.Hostile(t)
	out := printed(s, FormatMarkdown, s.Upto())
	exporttest.Golden(t, "hostile.md", out)
	requireTame(t, out)
	for _, line := range strings.Split(string(trailOf(t, out)), "\n") {
		require.Regexp(t, `^ *[0-9]+  2026-`, line)
	}
	exporttest.Golden(t, "hostile.json", printed(s, FormatJSON, s.Upto()))
}

// ours are the headings that the export writes itself.
var ours = regexp.MustCompile(`^(Pawl session |Who did what$|What was denied$|P: the main agent|A[0-9]+: |(P|A[0-9]+\.|S)[0-9]+: |Shells$|Lifecycle trail$|Versions and settings$|What was asked$|What was denied or warned of$|The last answer$)`)

// requireTame reads a Markdown export as GitHub does, and finds in it nothing
// that came from a text of others, but code.
func requireTame(t testing.TB, out []byte) {
	t.Helper()
	require.True(t, utf8.Valid(out))
	for _, r := range string(out) {
		require.False(t, r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)), "%U", r)
	}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(out))
	tables, ruled := []int{}, []int{11} // how many columns they have, and are to have
	err := ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Link, *ast.Image, *ast.AutoLink, *ast.Blockquote, *ast.CodeBlock,
			*extast.TaskCheckBox, *extast.Strikethrough, *ast.ThematicBreak:
			t.Errorf("a %s: %s", n.Kind(), source(n, out))
		case *ast.Heading:
			require.Regexp(t, ours, source(n, out))
			if source(n, out) == "What was asked" {
				ruled = []int{8} // in brief
			}
			if source(n, out) == "What was denied" {
				ruled = append(ruled, 7)
			}
		case *extast.Table:
			tables = append(tables, len(n.Alignments))
		case *extast.TableRow:
			require.Equal(t, tables[len(tables)-1], n.ChildCount())
		}
		return ast.WalkContinue, nil
	})
	require.NoError(t, err)
	require.Equal(t, ruled, tables)
}

func source(n ast.Node, out []byte) string {
	var b bytes.Buffer
	if n.Type() != ast.TypeInline {
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			b.Write(line.Value(out))
		}
	}
	return b.String()
}

// trailOf cuts the log out of an export.
func trailOf(t *testing.T, out []byte) []byte {
	t.Helper()
	_, trail, ok := bytes.Cut(out, []byte("## Lifecycle trail\n\n```text\n"))
	require.True(t, ok)
	trail, ok = bytes.CutSuffix(trail, []byte("\n```\n"))
	require.True(t, ok)
	return trail
}

func TestFenceIsLongerThanWhatItHolds(t *testing.T) {
	require.Equal(t, "```text\na\n```\n", fence("text", "a\n"))
	require.Equal(t, "`````text\n````\n`````\n", fence("text", "````"))
	require.Equal(t, "``a`b``", codeSpan("a`b"))
	require.Equal(t, "`` `a ``", codeSpan("`a"))
	require.Equal(t, "–", codeSpan(""))
	require.Equal(t, "`a¦b`", cellSpan("a|b"))
}

func FuzzMarkdown(f *testing.F) {
	for _, one := range exporttest.Evil {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := exporttest.Planting(t, text)
		requireTame(t, printed(s, FormatMarkdown, s.Upto()))
	})
}
