package instructions

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/regular"
)

// checkoutFiles are those of a checkout, by their paths below its root.
type checkoutFiles struct{ *reader }

// locate follows links by their names alone: what a link leads to outside is not opened.
func (c checkoutFiles) locate(name string) (string, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(c.top, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(c.top, real)
	switch {
	case err != nil, !filepath.IsLocal(rel):
		return "", errLeadsOut
	case slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool { return strings.EqualFold(part, ".git") }):
		return "", errors.New("it is one of git's own files")
	}
	return rel, nil
}

func (c checkoutFiles) open(located string) (*os.File, error) {
	return regular.OpenIn(c.root, located)
}

func (c checkoutFiles) include(by, target string) (string, error) {
	switch {
	case target == "~" || strings.HasPrefix(target, "~/"):
		return "", errors.New("only your own instructions may include files of your home folder")
	case path.IsAbs(target):
		for _, folder := range []string{c.top, c.place.Folder} {
			if rel, err := filepath.Rel(folder, filepath.FromSlash(target)); err == nil && filepath.IsLocal(rel) {
				inTop, _ := filepath.Rel(c.top, filepath.Join(folder, rel))
				if folder == c.place.Folder {
					inTop = filepath.Join(filepath.FromSlash(c.here), rel)
				}
				return filepath.ToSlash(inTop), nil
			}
		}
		return "", errors.New("it is outside the checkout")
	}
	name := path.Join(path.Dir(by), target)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", errors.New("it is outside the checkout")
	}
	return name, nil
}

// title is relative to the folder, as the file tools take it.
func (c checkoutFiles) title(name string) string {
	rel, err := filepath.Rel(filepath.FromSlash(c.here), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

func (c checkoutFiles) whole(located string) string { return filepath.Join(c.top, located) }

func (c checkoutFiles) own() bool { return false }

// ownFiles are the user's own, by their whole paths. Links in them may lead anywhere: many people
// keep such files elsewhere.
type ownFiles struct{ *reader }

func (o ownFiles) locate(name string) (string, error) { return filepath.EvalSymlinks(name) }

func (o ownFiles) open(located string) (*os.File, error) { return regular.Open(located) }

func (o ownFiles) include(by, target string) (string, error) {
	name := filepath.FromSlash(target)
	switch {
	case target == "~" || strings.HasPrefix(target, "~/"):
		name = filepath.Join(o.place.Home, strings.TrimPrefix(target, "~"))
	case !filepath.IsAbs(name):
		name = filepath.Join(filepath.Dir(by), name)
	}
	for _, folder := range []string{o.place.Config, o.place.Home} {
		if rel, err := filepath.Rel(folder, name); folder != "" && err == nil && filepath.IsLocal(rel) {
			return name, nil
		}
	}
	return "", errors.New("it is neither in your home folder nor in Pawl's config folder")
}

func (o ownFiles) title(name string) string {
	if rest, inside := strings.CutPrefix(name, o.place.Home+string(os.PathSeparator)); o.place.Home != "" && inside {
		return "~/" + filepath.ToSlash(rest)
	}
	return name
}

func (o ownFiles) whole(located string) string { return located }

func (o ownFiles) own() bool { return true }
