package changes

import (
	"context"
	"errors"
	"fmt"

	"pawl/agent/diff"
	"pawl/export/book"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// Kind says in a word what became of a file.
type Kind string

// The kinds of a change.
const (
	Added    Kind = "added"
	Modified Kind = "modified"
	Deleted  Kind = "deleted"
	Mode     Kind = "mode"  // its permissions alone
	Same     Kind = "same"  // it came back to what it was, not by these changes alone
	Retyped  Kind = "typed" // a file became a link, or the other way round
)

// KindOf says what became of a file.
func KindOf(n files.Net) Kind {
	before, after := n.Before, n.After
	switch {
	case before.Same(after):
		return Same
	case before.Kind == lifecycle.FileNone:
		return Added
	case after.Kind == lifecycle.FileNone:
		return Deleted
	case before.Kind != after.Kind:
		return Retyped
	case before.Hash != "" && before.Hash == after.Hash:
		return Mode
	}
	return Modified
}

// Letter is a kind as git writes it.
func (k Kind) Letter() string {
	switch k {
	case Added:
		return "A"
	case Deleted:
		return "D"
	case Retyped:
		return "T"
	case Modified, Mode:
		return "M"
	case Same:
	}
	return "="
}

// Difference is one file with what it held before and after, as far as that is kept.
type Difference struct {
	files.Net
	Kind        Kind
	Old, New    string // what it held; empty where it was not there
	Binary      bool
	Added, Lost int    // lines; 0 of binary content
	Gone        string // why it cannot be shown; the texts are empty then
	Diff        string // unified, for people: bounded, and empty where nothing differs
}

// Read reads what a file held on both sides, and compares it.
func (r *Report) Read(ctx context.Context, n files.Net) (Difference, error) {
	d := Difference{Net: n, Kind: KindOf(n)}
	var err error
	if d.Old, d.Gone, err = r.content(ctx, "before", n.Before); err != nil || d.Gone != "" {
		d.Gone = cover(n, d.Gone)
		return d, err
	}
	if d.New, d.Gone, err = r.content(ctx, "after", n.After); err != nil || d.Gone != "" {
		d.Old = ""
		return d, err
	}
	if d.Binary = diff.Binary(d.Old) || diff.Binary(d.New); d.Kind != Same && d.Kind != Mode {
		view := diff.Of(n.Path, d.Old, d.New)
		d.Added, d.Lost, d.Diff = view.Added, view.Removed, view.Diff
	}
	return d, nil
}

// cover is the reason that the record gives, where it gives one.
func cover(n files.Net, gone string) string {
	if n.Uncovered != "" {
		return "not covered: " + n.Uncovered
	}
	return gone
}

// content reads what a file held at one time; gone says why that cannot be had.
func (r *Report) content(ctx context.Context, when string, s lifecycle.FileState) (text, gone string, err error) {
	switch {
	case s.Kind == lifecycle.FileNone:
		return "", "", nil
	case r.Source.Bare:
		return "", "without content", nil
	case s.Hash == "":
		return "", "what it held " + when + " is not known", nil
	case r.Source.Contents == nil:
		return "", "what files held is not in this document", nil
	}
	raw, err := r.Source.Contents(ctx, s.Hash)
	if errors.Is(err, book.ErrGone) {
		return "", "what it held " + when + " is not kept any more", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("read what a file held: %w", err)
	}
	return string(raw), "", nil
}
