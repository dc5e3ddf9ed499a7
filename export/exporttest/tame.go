package exporttest

import (
	"bytes"
	"regexp"
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

// ours are the headings that the export writes itself.
var ours = regexp.MustCompile(`^(Pawl session |Who did what$|What was denied$|P: the main agent|A[0-9]+: |(P|A[0-9]+\.|S)[0-9]+: |Shells$|Lifecycle trail$|Versions and settings$|Changes$|What was asked$|What was denied or warned of$|The last answer$)`)

// RequireTame reads a Markdown export as GitHub does, and finds in it nothing
// that came from a text of others, but code.
func RequireTame(t testing.TB, out []byte) {
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
