// Package docs holds what users read beyond the README: a Markdown page a subject. Each begins
// with its title, a blank line and one line with its idea.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md
var files embed.FS

// Page is what is written about a subject.
type Page struct {
	Subject string // as in pawl help SUBJECT
	Idea    string // the page in a sentence, without markup
	Text    string // all of it, as Markdown
}

// Pages are all of them, sorted by subject.
func Pages() []Page {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("docs: " + err.Error()) // they are part of the program
	}
	pages := make([]Page, 0, len(entries))
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			panic("docs: " + err.Error())
		}
		_, body, _ := strings.Cut(string(text), "\n\n")
		idea, _, _ := strings.Cut(body, "\n")
		pages = append(pages, Page{Subject: strings.TrimSuffix(entry.Name(), ".md"), Idea: idea, Text: string(text)})
	}
	return pages
}
