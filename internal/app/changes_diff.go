package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pawl/agent/diff"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/tools/filestore"
	"pawl/ui/changes"
)

// Diff finds the difference of one file that was listed. What cannot be shown is said in it; an error
// is one of the log.
func (c *Changes) Diff(ctx context.Context, which changes.Which) (changes.Diff, error) {
	log, err := c.loaded(ctx)
	if err != nil {
		return changes.Diff{}, err
	}
	in, filter := log.filterOf(which)
	nets := in.Net(filter)
	if len(nets) != 1 {
		return changes.Diff{Why: "it has changed back since"}, nil
	}
	net := nets[0]
	before, why := c.content(net, net.Before)
	if why != "" {
		return changes.Diff{Why: "what it held before is not known: " + why}, nil
	}
	after, why := c.content(net, net.After)
	if why != "" {
		return changes.Diff{Why: "what it held then is not known: " + why}, nil
	}
	return c.compare(log, net, before, after), nil
}

func (c *Changes) compare(log *changeLog, net files.Net, before, after string) changes.Diff {
	switch {
	case diff.Binary(before) || diff.Binary(after):
		return changes.Diff{Why: fmt.Sprintf("binary content is not shown: %s before, %s after", size(net.Before), size(net.After))}
	case before == after:
		return changes.Diff{Why: sameWords(net)}
	}
	view := diff.Of(net.Path, before, after)
	d := changes.Diff{Text: view.Diff, Added: view.Added, Removed: view.Removed}
	d.NewBy, d.OldBy = c.origins(log, net)
	return d
}

// sameWords say what has changed where what a file holds has not.
func sameWords(net files.Net) string {
	switch {
	case net.Before.Kind == lifecycle.FileNone:
		return "a new file, and empty"
	case net.After.Kind == lifecycle.FileNone:
		return "removed; it was empty"
	case net.Before.Kind != net.After.Kind:
		return fmt.Sprintf("it was a %s and is a %s now", net.Before.Kind, net.After.Kind)
	case net.Before.Mode != net.After.Mode:
		return fmt.Sprintf("its permissions were %03o and are %03o now", net.Before.Mode, net.After.Mode)
	}
	return "it holds what it held before"
}

func size(s lifecycle.FileState) string {
	if s.Kind == lifecycle.FileNone {
		return "nothing"
	}
	return words.Size(s.Size)
}

// content is what a file held, or why that is not known.
func (c *Changes) content(net files.Net, s lifecycle.FileState) (text, why string) {
	switch {
	case s.Kind == lifecycle.FileNone:
		return "", ""
	case s.Hash == "":
		return "", cmp.Or(net.Uncovered, "nobody has read it")
	}
	data, err := c.contents(s.Hash)
	switch {
	case err == nil:
		return string(data), ""
	case errors.Is(err, filestore.ErrNotKept):
		return "", cmp.Or(net.Uncovered, "it is not kept here")
	}
	return "", err.Error()
}

// mostVersions and mostFollowed bound what is read to say who wrote which line, in contents and in
// bytes. Beyond that the last writer answers for all.
const (
	mostVersions = 60
	mostFollowed = 8 << 20
)

// origins says who of a file's writers wrote each line, and who removed each; nil where that is one for
// all, or cannot be known.
func (c *Changes) origins(log *changeLog, net files.Net) (newBy, oldBy []int) {
	writers, by := log.writers(net)
	if len(writers) < 2 || len(net.Changes) > mostVersions {
		return nil, nil
	}
	var versions []string
	var owners []int // of each version
	total := 0
	add := func(s lifecycle.FileState, owner int) bool {
		text, why := c.content(net, s)
		versions, owners, total = append(versions, text), append(owners, owner), total+len(text)
		return why == "" && total <= mostFollowed
	}
	last := net.Before
	whole := add(net.Before, -1)
	for i, change := range net.Changes {
		if whole && !last.Same(change.Before) { // somebody else was at it
			whole = add(change.Before, -1)
		}
		whole = whole && add(change.After, by[i])
		last = change.After
	}
	if !whole {
		return nil, nil
	}
	newBy, oldBy = diff.Origins(versions)
	for _, lines := range [][]int{newBy, oldBy} {
		for i, version := range lines {
			lines[i] = owners[version]
		}
	}
	return newBy, oldBy
}
