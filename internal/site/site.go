package main

import (
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.html site.css site.js
var files embed.FS

var layout = template.Must(template.ParseFS(files, "page.html"))

// group is a part of the list of pages. The pages that no group names stand in the last.
type group struct {
	Name  string
	names []string
	Pages []*page
}

func groups() []*group {
	in := func(name string, names ...string) *group { return &group{Name: name, names: names} }
	return []*group{
		in("Begin", "README.md", "docs/install.md", "docs/recipes.md"),
		in("The screen", "docs/keys.md", "docs/screen.md", "docs/attach.md", "docs/fleet.md"),
		in("Delegation", "docs/subagents.md", "docs/worktrees.md", "docs/machines.md", "docs/changes.md", "docs/ending.md"),
		in("Set up", "docs/models.md", "docs/settings.md", "docs/instructions.md", "docs/commands.md", "docs/skills.md", "docs/mcp.md", "docs/doctor.md"),
		in("Safety", "docs/permissions.md", "docs/sandbox.md", "docs/trust.md", "docs/secrets.md", "SECURITY.md"),
		in("Other programs", "docs/headless.md", "docs/stream-json.md", "docs/socket.md", "docs/editors.md", "docs/hooks.md", "docs/recordings.md", "docs/telemetry.md"),
		in("The project", "docs/house.md", "CONTRIBUTING.md", "PERFORMANCE.md", "RELIABILITY.md", "CHANGELOG.md"),
	}
}

// site is all pages, in the order in which they are read.
type site struct {
	root   string
	groups []*group
	pages  []*page
	others []string // files of the checkout that pages show or refer to
}

// read reads the pages of a checkout. A link that leads nowhere is an error.
func read(root string) (*site, error) {
	s := &site{root: root, groups: groups()}
	var found []string
	for _, g := range s.groups { // of the checkout's own folder these alone: notes may lie there
		for _, name := range g.names {
			if _, err := os.Stat(filepath.Join(root, name)); err == nil && !strings.Contains(name, "/") {
				found = append(found, filepath.Join(root, name))
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, path := range found {
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		p, err := readPage(root, inside)
		if err != nil {
			return nil, err
		}
		s.place(p)
	}
	for _, g := range s.groups {
		slices.SortStableFunc(g.Pages, func(a, b *page) int { return slices.Index(g.names, a.path) - slices.Index(g.names, b.path) })
		s.pages = append(s.pages, g.Pages...)
	}
	return s, s.resolve()
}

func (s *site) place(p *page) {
	at := slices.IndexFunc(s.groups, func(g *group) bool { return slices.Contains(g.names, p.path) })
	if at < 0 {
		at = len(s.groups) - 1
	}
	s.groups[at].Pages = append(s.groups[at].Pages, p)
}

// shown is what the layout of a page needs.
type shown struct {
	*page
	Groups         []*group
	Previous, Next *page
}

// write writes the site into a folder.
func (s *site) write(folder string) error {
	out := map[string]string{}
	for i, p := range s.pages {
		one := shown{page: p, Groups: s.groups}
		if i > 0 {
			one.Previous = s.pages[i-1]
		}
		if i+1 < len(s.pages) {
			one.Next = s.pages[i+1]
		}
		var b strings.Builder
		if err := layout.Execute(&b, one); err != nil {
			return err
		}
		out[p.Out()] = b.String()
	}
	for _, name := range []string{"site.css", "site.js"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		out[name] = string(text)
	}
	index, err := s.index()
	if err != nil {
		return err
	}
	out["search.js"] = index
	for _, name := range s.others {
		text, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		out[name] = string(text)
	}
	return put(folder, out)
}

func put(folder string, files map[string]string) (err error) {
	for name, text := range files {
		path := filepath.Join(folder, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	return err
}

// index is what the search looks through: page, address, heading and text of each section. It is a
// script, since a page that lies in a file may not read another one.
func (s *site) index() (string, error) {
	var all [][4]string
	for _, p := range s.pages {
		for _, h := range p.Headings {
			address := p.Out()
			if h.Level > 1 {
				address += "#" + h.ID
			}
			all = append(all, [4]string{p.Title, address, h.Text, plain(string(p.source[h.from:h.to]))})
		}
	}
	text, err := json.Marshal(all)
	return "const index = " + string(text) + "\n", err
}
