package web

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"pawl/internal/words"
	"pawl/tools/content"
)

// Page is what a server gave.
type Page struct {
	At        *url.URL // where it stood in the end
	Status    string   // such as "200 OK"
	Code      int
	Body      []byte
	Cut       bool     // there was more than MaxPage
	Elsewhere *url.URL // it points to another host, which was not asked; nil: it does not

	header string // Content-Type
}

// Type is its media type: the server's word or, where it has none to say, what the bytes
// look like.
func (p Page) Type() string {
	kind, _, err := mime.ParseMediaType(p.header)
	if err != nil || kind == "application/octet-stream" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(p.Body))
	}
	if kind == "application/xhtml+xml" {
		return "text/html"
	}
	return kind
}

// Textual says whether it can be read as text.
func (p Page) Textual() bool {
	return content.IsText(p.Type()) || content.TypeOf(p.Body) == content.Text
}

// Text is its text in UTF-8, from whichever encoding the server, the page or its first
// bytes name.
func (p Page) Text() string {
	r, err := charset.NewReader(bytes.NewReader(p.Body), p.header)
	if err != nil {
		return words.Valid(string(p.Body))
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return words.Valid(string(p.Body))
	}
	return words.Valid(string(text))
}

// Markdown is an HTML page as Markdown, its links whole. What cannot be parsed as a
// tree, such as a page nested without end, gives its bare text.
func (p Page) Markdown() string {
	page := p.Text()
	tree, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return bare(page)
	}
	title := titleOf(tree) // the conversion takes the tree apart
	domain := (&url.URL{Scheme: p.At.Scheme, Host: p.At.Host}).String()
	text, err := htmltomarkdown.ConvertNode(tree, converter.WithDomain(domain))
	if err != nil {
		return bare(page)
	}
	if title != "" && !strings.Contains(string(text), title) {
		return "# " + title + "\n\n" + string(text)
	}
	return string(text)
}

func titleOf(tree *html.Node) string {
	for node := range tree.Descendants() {
		if node.Type == html.ElementNode && node.Data == "title" && node.FirstChild != nil {
			return words.CutLine(node.FirstChild.Data, 300)
		}
	}
	return ""
}

func bare(page string) string {
	var b strings.Builder
	skip := ""
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			if name, _ := tokens.TagName(); string(name) == "script" || string(name) == "style" {
				skip = string(name)
			}
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == skip {
				skip = ""
			}
		case html.TextToken:
			if skip == "" {
				b.Write(tokens.Text())
			}
		case html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}
