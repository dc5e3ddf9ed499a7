package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// resolve makes each link to a page one to its file in the site. What leads nowhere is an error that
// names all of it.
func (s *site) resolve() error {
	var wrong []error
	for _, p := range s.pages {
		err := ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			var to *[]byte
			switch n := n.(type) {
			case *ast.Link:
				to = &n.Destination
			case *ast.Image:
				to = &n.Destination
			}
			if to != nil && entering {
				address, err := s.follow(p, string(*to))
				if err != nil {
					wrong = append(wrong, fmt.Errorf("%s refers to %s: %w", p.path, *to, err))
				}
				*to = []byte(address)
			}
			return ast.WalkContinue, nil
		})
		wrong = append(wrong, err)
	}
	return errors.Join(wrong...)
}

// follow is the address in the site of what a page refers to.
func (s *site) follow(from *page, address string) (string, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "" {
		return address, err
	}
	name := from.path
	if at.Path != "" {
		name = path.Join(path.Dir(from.path), at.Path)
	}
	if !filepath.IsLocal(name) {
		return "", errors.New("that is outside of the checkout")
	}
	to := s.page(name)
	if to == nil {
		return address, s.take(name)
	}
	if at.Fragment != "" && !slices.ContainsFunc(to.Headings, func(h *heading) bool { return h.ID == at.Fragment }) {
		return "", errors.New("there is no such heading")
	}
	if at.Path != "" {
		at.Path = path.Join(path.Dir(at.Path), path.Base(to.Out()))
		if strings.HasSuffix(address, "/") {
			at.Path = path.Join(address, "index.html")
		}
	}
	return at.String(), nil
}

// page is the page of a file, or of a folder with a README.md; nil if there is none.
func (s *site) page(name string) *page {
	i := slices.IndexFunc(s.pages, func(p *page) bool { return p.path == name || p.path == path.Join(name, "README.md") })
	if i < 0 {
		return nil
	}
	return s.pages[i]
}

// take puts a file of the checkout into the site.
func (s *site) take(name string) error {
	info, err := os.Stat(filepath.Join(s.root, name))
	if err != nil {
		return errors.New("there is no such file")
	}
	if !info.Mode().IsRegular() {
		return errors.New("that is not a regular file")
	}
	if !slices.Contains(s.others, name) {
		s.others = append(s.others, name)
	}
	return nil
}
