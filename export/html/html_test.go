package html

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/redact"
	"pawl/lifecycle"
)

// written is the page of a session, up to a record.
func written(s *exporttest.Story, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, s.Source(), s.Facts.ID, upto, false))
	return out.Bytes()
}

// writtenIn is the page of a whole session, in brief or without its content.
func writtenIn(s *exporttest.Story, brief, noContent bool) []byte {
	s.T.Helper()
	src, root := s.Source(), s.Facts.ID
	if noContent {
		var err error
		src, root, err = redact.Source(s.T.Context(), src, root, s.Upto())
		require.NoError(s.T, err)
	}
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, src, root, s.Upto(), brief))
	return out.Bytes()
}

// bare is a page without its style and its script: what a golden need not repeat.
func bare(page []byte) []byte {
	page = bytes.Replace(page, []byte(pageStyle), []byte("…"), 1)
	page = bytes.Replace(page, []byte(pageScript), []byte("…"), 1)
	return bytes.Replace(page, []byte(policy()), []byte("…"), 1)
}

func TestAPageOfASession(t *testing.T) {
	s := exporttest.Plot(t)
	exporttest.Golden(t, "session.html", bare(written(s, s.Upto())))
	exporttest.Golden(t, "empty.html", bare(written(exporttest.NewStory(t), 0)))
	bad := exporttest.HostilePage(t)
	exporttest.Golden(t, "hostile.html", bare(written(bad, bad.Upto())))
}

func TestNothingOnAPageComesFromData(t *testing.T) {
	for name, s := range map[string]*exporttest.Story{"plot": exporttest.Plot(t), "hostile": exporttest.HostilePage(t)} {
		t.Run(name, func(t *testing.T) {
			for _, upto := range []lifecycle.Seq{s.Upto(), s.Upto() / 2, 1, 0} {
				exporttest.RequireOurs(t, written(s, upto))
			}
		})
	}
	require.NotContains(t, string(pageScript), "</")
	require.NotContains(t, string(pageScript), "innerHTML")
	require.NotContains(t, string(pageStyle), "<")
	require.NotContains(t, string(pageStyle), "url(")
}

func FuzzHTML(f *testing.F) {
	for _, one := range append(exporttest.Breakers, exporttest.Evil...) {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := exporttest.Planting(t, text)
		exporttest.RequireOurs(t, written(s, s.Upto()))
		exporttest.RequireOurs(t, writtenIn(s, true, false))
	})
}

// Links lead to the web, or nowhere.
func TestOnlyAddressesOfTheWebAreLinks(t *testing.T) {
	b := &writer{Book: &book.Book{}}
	require.Equal(t, markup(`<a href="https://go.dev/?a=1&amp;b=2" rel="noreferrer noopener" target="_blank">x</a>`), b.link("https://go.dev/?a=1&b=2", "x"))
	for _, address := range []string{
		"javascript:alert(1)", " javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.example", "/x", "#run-1", "mailto:a@b",
		"https:", "https:///x", "https:evil", "http://a b/", "java\nscript:x", "https://go.dev/\u202e", "https://go.dev/?token=hunter2hunter2", "ftp://x/y", "",
	} {
		require.NotContains(t, string(b.link(address, "x")), "href", "%q", address)
	}
}

// What others wrote is text, whatever it looks like, in a text and in an
// attribute; only markup of ours stays markup.
func TestWhatOthersWroteIsEscaped(t *testing.T) {
	b := &writer{Book: &book.Book{}}
	for _, one := range append(exporttest.Breakers, exporttest.Evil...) {
		doc, err := html.Parse(strings.NewReader(string(b.markup(`<p id="%s">%s</p>`, one, one))))
		require.NoError(t, err)
		body := doc.FirstChild.LastChild
		require.Equal(t, b.Readable(one), body.FirstChild.FirstChild.Data)
		require.Equal(t, b.Readable(one), body.FirstChild.Attr[0].Val)
		require.Nil(t, body.FirstChild.NextSibling)
		require.Nil(t, body.FirstChild.FirstChild.NextSibling)
	}
	type spelled string
	require.Equal(t, markup("&lt;i&gt; &lt;i&gt; <i> 7 0.500"), b.markup("%s %s %s %s %s", "<i>", spelled("<i>"), markup("<i>"), 7, 0.5))
}

// Markdown is read, and what is HTML in it is shown.
func TestProse(t *testing.T) {
	b := &writer{Book: &book.Book{}}
	for text, want := range map[string]string{
		"# A *b*\n\n- `c`\n- [ ] d\n\n> e":  "<h5>A <em>b</em></h5><ul><li><span><code>c</code></span></li><li><span>☐ d</span></li></ul><blockquote><p>e</p></blockquote>",
		"1. a\n\nthen\n\n2. b":              `<ol><li><span>a</span></li></ol><p>then</p><ol start="2"><li><span>b</span></li></ol>`,
		"a <b>c</b>":                        "<p>a &lt;b&gt;c&lt;/b&gt;</p>",
		"\\*a\\* `\\*` &lt;":                "<p>*a* <code>\\*</code> &amp;lt;</p>",
		"<div>\nx\n</div>":                  "<p>&lt;div&gt;\nx\n&lt;/div&gt;</p>",
		"| a | b |\n|--|--|\n| 1 | ~~2~~ |": "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td><s>2</s></td></tr></table>",
		"```go\nx < y\n```":                 "<pre tabindex=\"0\">x &lt; y\n</pre>",
		"![p](https://a.b/c.png)":           `<p><a href="https://a.b/c.png" rel="noreferrer noopener" target="_blank">picture: p</a></p>`,
		"[**x**](javascript:y)":             "<p><strong>x</strong> <code>javascript:y</code></p>",
	} {
		require.Equal(t, `<div class="prose">`+want+"</div>", string(b.prose(text)))
	}
	require.Empty(t, b.prose(" \n"))
	deep := strings.Repeat("> ", 500) + "x"
	require.Equal(t, fmt.Sprintf(`<div class="plain">%s</div>`, html.EscapeString(deep)), string(b.prose(deep)))
	long := strings.Repeat("*a* ", longProse/4+1)
	require.Equal(t, fmt.Sprintf(`<div class="plain">%s</div>`, long), string(b.prose(long)))
}

func TestABriefPageIsOurs(t *testing.T) {
	s := exporttest.Plot(t)
	exporttest.Golden(t, "brief.html", bare(writtenIn(s, true, false)))
	for _, one := range []*exporttest.Story{s, exporttest.HostilePage(t), exporttest.NewStory(t)} {
		exporttest.RequireOurs(t, writtenIn(one, true, false))
	}
}
