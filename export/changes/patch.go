package changes

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's names of contents
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"pawl/agent/diff"
	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Patch writes what the session changed in the report's folder as a patch that "git apply" takes
// there. A file whose content is not kept, or that holds a secret, stays out of it; so do other
// folders. The patch names all of these in lines that git skips.
func (r *Report) Patch(ctx context.Context, w io.Writer) error {
	remark := func(format string, args ...any) error {
		_, err := fmt.Fprintf(w, "# %s\n", words.Line(r.Readable(fmt.Sprintf(format, args...))))
		return err
	}
	if err := remark("Pawl session %s, up to record %d, in %s", r.Facts().ID, r.Upto, r.Folder); err != nil {
		return err
	}
	for _, open := range r.Unknown {
		if err := remark("Not all that a command of %s changed is known: %s", r.Name(open.Run), open.Why); err != nil {
			return err
		}
	}
	for _, n := range r.Net {
		if n.Folder != r.Folder {
			if err := remark("Not in this patch: %s, which is in %s", n.Path, n.Folder); err != nil {
				return err
			}
			continue
		}
		d, err := r.Read(ctx, n)
		if err != nil {
			return err
		}
		text, why := r.patchOf(d)
		if why != "" {
			err = remark("Not in this patch: %s: %s", n.Path, why)
		} else {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// patchOf is the patch of one file, or why there is none.
func (r *Report) patchOf(d Difference) (text, why string) {
	switch {
	case d.Gone != "":
		return "", d.Gone
	case d.Uncovered == lifecycle.Nameless:
		return "", "not covered: " + d.Uncovered
	case d.Kind == Same:
		return "", "it came back to what it was, with a change between that is not recorded"
	case d.Kind == Retyped: // git wants the one gone before the other comes
		gone, came := d, d
		gone.After, gone.New, gone.Kind = lifecycle.FileState{}, "", Deleted
		came.Before, came.Old, came.Kind = lifecycle.FileState{}, "", Added
		text = gitPatch(gone) + gitPatch(came)
	default:
		text = gitPatch(d)
	}
	secret := func(text string) bool { return r.Mask.Text(text) != text }
	if secret(text) || d.Binary && (secret(d.Old) || secret(d.New)) { // a binary patch is compressed
		return "", "it holds a secret"
	}
	return text, ""
}

func gitPatch(d Difference) string {
	var b strings.Builder
	from, to := quoted("a/"+d.Path), quoted("b/"+d.Path)
	fmt.Fprintf(&b, "diff --git %s %s\n", from, to)
	before, after := gitMode(d.Before), gitMode(d.After)
	switch {
	case d.Kind == Added:
		from = "/dev/null"
		fmt.Fprintf(&b, "new file mode %s\n", after)
	case d.Kind == Deleted:
		to = "/dev/null"
		fmt.Fprintf(&b, "deleted file mode %s\n", before)
	case before != after:
		fmt.Fprintf(&b, "old mode %s\nnew mode %s\n", before, after)
	}
	if d.Before.Hash == d.After.Hash {
		if before == after && d.Kind == Mode {
			return "" // bits that git does not know
		}
		return b.String()
	}
	fmt.Fprintf(&b, "index %s..%s", blob(d.Before, d.Old), blob(d.After, d.New))
	if d.Kind == Modified && before == after {
		b.WriteString(" " + after)
	}
	b.WriteString("\n")
	switch {
	case d.Binary:
		b.WriteString("GIT binary patch\n" + literal(d.New) + literal(d.Old))
	case d.Old != "" || d.New != "":
		hunks, _, _ := diff.Hunks(d.Old, d.New)
		fmt.Fprintf(&b, "--- %s\n+++ %s\n%s", tabbed(from), tabbed(to), hunks)
	}
	return b.String()
}

// gitMode is what git knows of a file's mode.
func gitMode(s lifecycle.FileState) string {
	switch {
	case s.Kind == lifecycle.FileLink:
		return "120000"
	case s.Mode&0o100 != 0:
		return "100755"
	}
	return "100644"
}

// blob is git's name of a content.
func blob(s lifecycle.FileState, content string) string {
	if s.Kind == lifecycle.FileNone {
		return strings.Repeat("0", 2*sha1.Size)
	}
	h := sha1.New() //nolint:gosec // git's names of contents
	_, _ = fmt.Fprintf(h, "blob %d\x00%s", len(content), content)
	return hex.EncodeToString(h.Sum(nil))
}

// quoted is a path as git writes it: in quotes where it has signs that end a line or a name.
func quoted(path string) string {
	if !strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' || c == 0x7f }) {
		return path
	}
	var b bytes.Buffer
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(rune(c)))
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// tabbed ends a name with blanks in it, which else nobody knows the end of.
func tabbed(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// WritePatch writes a session's changes as a patch: see Report.Patch.
func WritePatch(ctx context.Context, w io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq, f Filter) error {
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return err
	}
	r, err := Open(ctx, b, f)
	if err != nil {
		return err
	}
	return r.Patch(ctx, w)
}
