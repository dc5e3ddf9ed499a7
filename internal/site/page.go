package main

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// page is a file of Markdown.
type page struct {
	path     string // in the checkout
	Title    string
	Idea     string // its first paragraph, if that is one line
	Headings []*heading
	source   []byte
	tree     ast.Node
}

// heading begins a section of a page.
type heading struct {
	*ast.Heading
	ID, Text string
	from, to int // of the section, in the source
}

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(elements{}, 100))),
)

func readPage(root, path string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return nil, err
	}
	p := &page{path: path, source: source, tree: markdown.Parser().Parse(text.NewReader(source))}
	seen := map[string]int{}
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			p.add(h, seen)
		}
	}
	if len(p.Headings) == 0 || p.Headings[0].Level != 1 {
		return nil, fmt.Errorf("%s does not begin with a title", path)
	}
	p.Title = p.Headings[0].Text
	_, body, _ := strings.Cut(string(source), "\n\n")
	if idea, rest, _ := strings.Cut(body, "\n"); strings.HasPrefix(rest, "\n") {
		p.Idea = idea
	}
	return p, nil
}

func (p *page) add(h *ast.Heading, seen map[string]int) {
	line := h.Lines().At(0)
	raw := string(line.Value(p.source))
	one := &heading{Heading: h, ID: anchor(raw), Text: plain(raw), from: line.Stop, to: len(p.source)}
	if seen[one.ID]++; seen[one.ID] > 1 {
		one.ID = fmt.Sprintf("%s-%d", one.ID, seen[one.ID]-1)
	}
	h.SetAttributeString("id", one.ID)
	if n := len(p.Headings); n > 0 {
		p.Headings[n-1].to = line.Start
	}
	p.Headings = append(p.Headings, one)
}

// anchor is the mark that GitHub makes of a heading, by which pages refer to it.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

var (
	addresses = regexp.MustCompile(`\]\([^)]*\)`)
	marks     = strings.NewReplacer("`", "", "*", "", "|", " ", "[", "", "]", "", "#", "", "---", "")
)

// plain is Markdown as somebody would read it aloud.
func plain(source string) string {
	return strings.Join(strings.Fields(marks.Replace(addresses.ReplaceAllString(source, ""))), " ")
}

// Out is the page's file, relative to the site.
func (p *page) Out() string { return outOf(p.path) }

func outOf(path string) string {
	if filepath.Base(path) == "README.md" {
		return filepath.Join(filepath.Dir(path), "index.html")
	}
	return strings.TrimSuffix(path, ".md") + ".html"
}

// Top leads from the page to the folder of the site.
func (p *page) Top() string { return strings.Repeat("../", strings.Count(p.path, "/")) }

// Sections are the headings that the contents of the page list.
func (p *page) Sections() (all []*heading) {
	for _, h := range p.Headings {
		if h.Level == 2 {
			all = append(all, h)
		}
	}
	return all
}

// HTML is what the page says.
func (p *page) HTML() (template.HTML, error) {
	var b bytes.Buffer
	err := markdown.Renderer().Render(&b, p.source, p.tree)
	table := strings.NewReplacer( // a header without a word is none, and what is too wide can be reached by keys
		"<th></th>", "<td></td>",
		"<table>", `<div class="wide" role="group" tabindex="0" aria-label="Table"><table>`, "</table>", "</table></div>")
	return template.HTML(table.Replace(b.String())), err
}
