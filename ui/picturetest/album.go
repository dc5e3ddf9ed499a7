package picturetest

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
)

// Album is pictures of what has changed, the earlier beside the later.
type Album struct{ pairs []pair }

type pair struct {
	title         string
	before, after string // pictures; before is empty for what is new
}

// Add adds a screen if it has changed; a nil before is one that was not there.
func (a *Album) Add(title string, before *Screen, after Screen, on Ground) {
	p := pair{title: title, after: after.SVG(on)}
	if before != nil {
		if before.Text() == after.Text() && before.Styles() == after.Styles() {
			return
		}
		p.before = before.SVG(on)
	}
	a.pairs = append(a.pairs, p)
}

// Write makes the folder hold the album and nothing else, and gives the path of
// the page to open; empty where nothing has changed.
func (a *Album) Write(folder string) (page string, err error) {
	if err := os.RemoveAll(folder); err != nil || len(a.pairs) == 0 {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("<!doctype html><meta charset=\"utf-8\"><title>Golden screens that changed</title>\n" +
		"<style>body{font-family:sans-serif;background:#888}figure{display:inline-block;vertical-align:top;margin:.5em}</style>\n")
	for i, p := range a.pairs {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(p.title))
		for _, picture := range []struct{ when, svg string }{{"before", p.before}, {"after", p.after}} {
			if picture.svg == "" {
				continue
			}
			name := fmt.Sprintf("%03d-%s.svg", i+1, picture.when)
			if err := os.WriteFile(filepath.Join(folder, name), []byte(picture.svg), 0o644); err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<figure><img src=%q alt=\"\"><figcaption>%s</figcaption></figure>\n", name, picture.when)
		}
	}
	page = filepath.Join(folder, "index.html")
	return page, os.WriteFile(page, []byte(b.String()), 0o644)
}
