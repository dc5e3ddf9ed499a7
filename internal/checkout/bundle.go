package checkout

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"pawl/tools/git"
)

// header is the first part of a bundle, as git bundle writes it.
type header struct {
	needs []string          // commits that it builds on
	holds map[string]string // commits, by what they are called
}

// names of what a bundle holds.
const (
	filesRef = "refs/pawl/files" // all files
	headRef  = "refs/pawl/head"  // what is committed
	otherRef = "refs/pawl/branches/"
)

// text is the header as it stands in a file. The commits say by which hash objects are named.
func (h header) text() string {
	var b strings.Builder
	b.WriteString("# v2 git bundle\n")
	if slices.ContainsFunc(slices.Collect(maps.Values(h.holds)), longID) {
		b.Reset()
		b.WriteString("# v3 git bundle\n@object-format=sha256\n")
	}
	for _, id := range h.needs {
		b.WriteString("-" + id + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(h.holds)) {
		b.WriteString(h.holds[name] + " " + name + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

func longID(id string) bool { return len(id) == 64 }

// Bounds of a header: of its lines, and of each.
const (
	mostHeaderLines = 10_000
	longestLine     = 4096 // bytes
)

var errNoBundle = errors.New("it is no bundle of git's")

// readHeader reads the header of a bundle, and leaves the file at the pack behind it.
func readHeader(file *os.File) (header, error) {
	h := header{holds: map[string]string{}}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return h, err
	}
	in := bufio.NewReaderSize(file, longestLine)
	var at int64
	for n := range mostHeaderLines {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return h, errNoBundle
		}
		at += int64(len(line))
		if len(line) == 1 && n > 0 {
			_, err := file.Seek(at, io.SeekStart)
			return h, err
		}
		if err := h.take(n, strings.TrimSuffix(string(line), "\n")); err != nil {
			return h, err
		}
	}
	return h, errNoBundle
}

func (h *header) take(n int, line string) error {
	id, name, _ := strings.Cut(line, " ")
	switch {
	case n == 0 && (line == "# v2 git bundle" || line == "# v3 git bundle"):
	case n == 0:
		return errNoBundle
	case line == "@object-format=sha1" || line == "@object-format=sha256":
	case strings.HasPrefix(id, "-") && git.ValidID(id[1:]):
		h.needs = append(h.needs, id[1:])
	case !git.ValidID(id):
		return errNoBundle
	case name != filesRef && name != headRef && !strings.HasPrefix(name, otherRef):
		return fmt.Errorf("it holds %q, which is no part of a checkout", name)
	default:
		h.holds[name] = id
	}
	return nil
}

// bundled is a bundle in a file of a folder, without a name, at its start. The caller closes it.
func bundled(ctx context.Context, folder string, h header, pack func(ctx context.Context, to *os.File) error) (file *os.File, size int64, err error) {
	if file, err = unnamed(folder); err != nil {
		return nil, 0, err
	}
	_, err = file.WriteString(h.text())
	if err == nil {
		err = pack(ctx, file)
	}
	if err == nil {
		size, err = file.Seek(0, io.SeekEnd)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, size, nil
}

// unnamed is a new file in a folder that lives as long as it is open.
func unnamed(folder string) (*os.File, error) {
	file, err := os.CreateTemp(folder, "merge-") // git.RemoveScratch finds what is left
	if err == nil {
		_ = os.Remove(file.Name())
	}
	return file, err
}

// tries is how often an object is read: it may be replaced by the same one from another machine while it
// is read.
const tries = 3

// fetch reads an object to a file of a folder, without a name. The caller closes it.
func fetch(ctx context.Context, folder string, from Objects, name string) (*os.File, error) {
	file, err := unnamed(folder)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		if _, err = file.Seek(0, io.SeekStart); err == nil {
			err = file.Truncate(0)
		}
		if err == nil {
			err = readTo(ctx, file, from, name)
		}
		if err == nil {
			return file, nil
		}
		if try == tries || ctx.Err() != nil || errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(fmt.Errorf("get %s from the server's store: %w", name, err), file.Close())
		}
	}
}

func readTo(ctx context.Context, file *os.File, from Objects, name string) error {
	content, err := from.Get(ctx, name)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(file, content)
	return err
}
