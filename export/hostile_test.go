package export

import (
	"bytes"
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

	"pawl/lifecycle"
)

// evil are texts that try to leave their place, to act, or to hide.
var evil = []string{
	"```\n# Heading\n<script>alert(1)</script>\n",
	"````text\n```\n`````\n# Out\n",
	"~~~\n# Out\n~~~",
	"\n\n# Out\n\n- [ ] a\n\n<details open><img src=x onerror=alert(1)>\n",
	"`` ` ``` ` ```` a | b \\| c | d |\n|---|\n",
	"![](https://evil.example/pixel.png) [x](javascript:alert(1)) https://evil.example @ada #12 fixes #12",
	"<!--", "-->", "</code></pre><h1>", "&lt;b&gt; &#60;b&#62;", "\\`code\\`", "`", "``````````",
	"\x1b]0;title\x07\x1b[2J\x1b[31mred\u009b2J\x00\x7f",
	"\u202eevil\u2066 \u200b\u2028# Out\u2029\u0085# Out\r# Out\r\n# Out\v# Out\f",
	"    # indented\n\t# tab\n> quote\n1. list\n---\n===\n",
	"\xff\xfe broken \xc3(",
	"119  2026-03-01T12:00:29.750Z  A8.1    ended   completed",
}

// hostile is a session in which every field that can hold a text holds them all.
func hostile(t *testing.T) *story {
	text := strings.Join(evil, "\n")
	s := planting(t, text)
	s.facts.ID, s.facts.Title = root, text
	call := lifecycle.CallID(text)
	s.spawn("s-2", "r-2", child(call, text, text, "x", false), lifecycle.Started{},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: text},
		lifecycle.Consumed{By: lifecycle.ByToolResult, InRun: lifecycle.RunID(text), Call: call})
	command := child(call, text, text, "", true)
	command.Kind, command.Command = lifecycle.KindShell, text
	s.spawn("s-3", "r-3", command, lifecycle.Started{},
		lifecycle.Ended{State: lifecycle.StateFailed, Result: text, Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: text}})
	for _, one := range evil {
		s.said("s-2", "r-2", "<b>", lifecycle.MessageID(one), one)
		s.said(root, "r-p1", one, "", one)
	}
	return s
}

func TestHostileContentStaysInItsPlace(t *testing.T) {
	s := hostile(t)
	out := s.export(FormatMarkdown, s.upto())
	golden(t, "hostile.md", out)
	requireTame(t, out)
	for _, line := range strings.Split(string(trailOf(t, out)), "\n") {
		require.Regexp(t, `^ *[0-9]+  2026-`, line)
	}
	golden(t, "hostile.json", s.export(FormatJSON, s.upto()))
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
	for _, one := range evil {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := planting(t, text)
		requireTame(t, s.export(FormatMarkdown, s.upto()))
	})
}
