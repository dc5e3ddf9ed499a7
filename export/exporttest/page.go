package exporttest

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// RequireOurs reads a page as a browser does, and finds no element, attribute or
// address in it that is not of the page's own making.
func RequireOurs(t testing.TB, page []byte) {
	t.Helper()
	require.True(t, utf8.Valid(page))
	require.Equal(t, -1, bytes.IndexFunc(page, func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
	}), "a character that hides or acts")
	doc, err := html.Parse(bytes.NewReader(page))
	require.NoError(t, err)
	ids, links := map[string]bool{}, map[string]bool{}
	elements := map[string]bool{}
	for _, name := range strings.Fields(`html head meta title style body main header h1 h2 h3 h4 h5 h6 p dl div dt dd b blockquote section span table thead tbody tr th td small a code
		svg rect line text g path ul ol li button input output details summary pre em strong s br hr figure figcaption script`) {
		elements[name] = true
	}
	for n := range doc.Descendants() {
		switch n.Type {
		case html.ElementNode:
			require.True(t, elements[n.Data], "an element <%s>", n.Data)
			if n.Data == "a" || n.Data == "button" || n.Data == "input" {
				for above := range n.Ancestors() {
					require.NotEqual(t, "summary", above.Data, "a <%s> in a summary", n.Data)
				}
			}
			for _, a := range n.Attr {
				requireAttribute(t, n, a, ids, links)
			}
		case html.CommentNode:
			t.Errorf("a comment: %q", n.Data)
		default:
		}
	}
	for link := range links {
		require.True(t, ids[link], "#%s leads nowhere", link)
	}
}

// requireAttribute finds nothing but what the page gives its elements.
func requireAttribute(t testing.TB, n *html.Node, a html.Attribute, ids, links map[string]bool) {
	t.Helper()
	switch a.Key {
	case "id":
		require.Regexp(t, `^((run|told)-[0-9]+(-step-[0-9]+)?|call-[0-9a-f]{12}|[a-z]+)$`, a.Val)
		require.False(t, ids[a.Val], "two of id %s", a.Val)
		ids[a.Val] = true
	case "href":
		if link, within := strings.CutPrefix(a.Val, "#"); within {
			links[link] = true
			return
		}
		require.Regexp(t, `^https?://[^/]`, a.Val)
		require.Contains(t, n.Attr, html.Attribute{Key: "rel", Val: "noreferrer noopener"})
	case "class":
		require.Regexp(t, `^[a-z ]+$`, a.Val)
	case "x", "y", "x1", "x2", "y1", "y2", "width", "height":
		require.Regexp(t, `^[0-9.]+%?$`, a.Val)
	case "d", "transform":
		require.Regexp(t, `^[a-zA-Z0-9 .()-]+$`, a.Val)
	case "data-l", "open", "hidden", "lang", "charset", "name", "content", "http-equiv", "scope", "rel", "target", "type", "placeholder", "tabindex", "role", "aria-label", "overflow":
		require.LessOrEqual(t, len(a.Val), 400)
	default:
		t.Errorf("an attribute %s=%q on <%s>", a.Key, a.Val, n.Data)
	}
}
