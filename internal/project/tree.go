package project

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pawl/internal/regular"
)

// Limits of what is looked at of the files below one folder of commands or skills. What is beyond the
// bytes counts by its size and time, so that it is asked about too often rather than not at all.
const (
	treeFiles = 5000
	treeBytes = 16 << 20
	treeLinks = 2 // how many links to folders are followed on the way to a file
)

// trees digests what is below folders. It remembers what it has read by what the file system says of
// each file, for it is asked around each command. Its methods may be called from any goroutine.
type trees struct {
	mu     sync.Mutex
	kept   map[string]keptFile // by whole path
	buffer []byte
}

// keptFile is what was read of a file or a folder.
type keptFile struct {
	stamp   stamp
	name    string  // in the root from which it was looked at
	sum     string  // of a file
	entries []child // of a folder
}

// child is something in a folder, by its whole path and by its path in the root.
type child struct{ full, name string }

// stamp is what the file system says of a file; two of the same file differ if anybody has changed it.
type stamp struct {
	kind                    fileKind
	runs                    bool // by its mode
	device, inode           uint64
	size, modified, changed int64
}

type fileKind int

const (
	absent fileKind = iota
	regularFile
	folder
	link
	special
)

// settled is how long a file must have been left alone before it was read, for its stamp to tell a
// later change: the file system's clock does not tick finely.
const settled = 100 * time.Millisecond

func newTrees() *trees { return &trees{kept: map[string]keptFile{}} }

// walk is one look at what is below a folder.
type walk struct {
	*trees
	root   string // nothing beyond it is read
	looker looker // from the root
	all    bool   // all files count, else Markdown files do
	found  []treeFile
	files  int
	bytes  int64
}

// treeFile is a file of a walk.
type treeFile struct {
	child
	stamp  stamp
	direct bool   // no link leads to it
	sum    string // empty: it is still to be read
}

// content has a line for each file below a folder of root, with its digest; empty if there is none.
func (t *trees) content(root, name string, all bool) string { return digest(t.walk(root, name, all)) }

// walk looks at what is below a folder of root, and reads it.
func (t *trees) walk(root, name string, all bool) []treeFile {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil
	}
	from := lookFrom(real)
	defer from.close()
	t.mu.Lock()
	defer t.mu.Unlock()
	w := walk{trees: t, root: real, looker: from, all: all}
	w.visit(child{filepath.Join(root, filepath.FromSlash(name)), name}, 0)
	for i, f := range w.found {
		if f.sum == "" {
			w.found[i].sum = t.sum(f, from)
		}
	}
	return w.found
}

// digest has a line for each file of a walk.
func digest(files []treeFile) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.name)
		if f.stamp.runs {
			b.WriteString("\x00" + canRun)
		}
		b.WriteString("\x00" + f.sum + "\n")
	}
	return b.String()
}

// sum is the digest of a file. One behind a link is read each time. The lock is held.
func (t *trees) sum(f treeFile, from looker) string {
	if kept, ok := t.kept[f.full]; ok && f.direct && kept.stamp == f.stamp {
		return kept.sum
	}
	if t.buffer == nil {
		t.buffer = make([]byte, 64<<10)
	}
	sum := from.sum(f, t.buffer)
	if f.direct && f.stamp.rested() {
		t.kept[f.full] = keptFile{stamp: f.stamp, name: f.name, sum: sum}
	}
	return sum
}

func (w *walk) visit(c child, links int) {
	switch w.files++; {
	case w.files == treeFiles+1:
		w.add(c, stamp{}, notRead)
		return
	case w.files > treeFiles:
		return
	}
	switch s := w.looker.stamp(c, links); s.kind {
	case folder:
		for _, entry := range w.list(c, c.full, s) {
			w.visit(entry, links)
		}
	case regularFile:
		w.file(c, s, true)
	case link:
		w.follow(c, links)
	case special:
		w.add(c, stamp{}, "special")
	case absent:
	}
}

// follow visits what a link leads to, unless that is beyond the root.
func (w *walk) follow(c child, links int) {
	real, err := filepath.EvalSymlinks(c.full)
	if err != nil {
		w.add(c, stamp{}, "leads nowhere")
		return
	}
	if inside, err := filepath.Rel(w.root, real); err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(os.PathSeparator)) {
		w.add(c, stamp{}, "leads out")
		return
	}
	switch s := stampOf(real); {
	case s.kind == regularFile:
		w.file(c, s, false)
	case s.kind == folder && links < treeLinks:
		for _, entry := range w.list(c, real, s) {
			w.visit(entry, links+1)
		}
	}
}

// file adds a file.
func (w *walk) file(c child, s stamp, direct bool) {
	if !w.all && path.Ext(c.name) != ".md" {
		return
	}
	sum := ""
	if w.bytes += s.size; w.bytes > treeBytes && path.Ext(c.name) != ".md" { // what is read of a model
		sum = fmt.Sprintf("large %d %s", s.size, time.Unix(0, s.modified).UTC())
	}
	w.found = append(w.found, treeFile{c, s, direct, sum})
}

func (w *walk) add(c child, s stamp, sum string) {
	w.found = append(w.found, treeFile{c, s, false, sum})
}

// list lists what is in a folder, which is read by its path without links.
func (w *walk) list(c child, real string, s stamp) []child {
	if kept, ok := w.kept[c.full]; ok && kept.stamp == s && kept.name == c.name {
		return kept.entries
	}
	names := w.looker.names(c, real)
	children := make([]child, len(names))
	for i, name := range names {
		children[i] = child{c.full + string(os.PathSeparator) + name, c.name + "/" + name}
	}
	if s.rested() {
		w.kept[c.full] = keptFile{stamp: s, name: c.name, entries: children}
	}
	return children
}

// rested reports that the file had been left alone for a while.
func (s stamp) rested() bool {
	return s.changed != 0 && time.Since(time.Unix(0, s.changed)) > settled
}

// notRead is the sum of the first file beyond treeFiles: neither it nor what follows is known.
const notRead = "not read"

// sumOf digests a file by its path.
func sumOf(full string, buffer []byte) string {
	file, err := regular.Open(full)
	if err != nil {
		return unreadable
	}
	defer file.Close()
	return digestOf(buffer, file.Read)
}

// unreadable stands for the digest of a file that cannot be read.
const unreadable = "unreadable"

// digestOf digests what read gives until it gives nothing.
func digestOf(buffer []byte, read func([]byte) (int, error)) string {
	sum := sha256.New()
	for left := int64(treeBytes); left > 0; {
		n, err := read(buffer[:min(left, int64(len(buffer)))])
		sum.Write(buffer[:max(n, 0)])
		left -= int64(n)
		switch {
		case errors.Is(err, io.EOF), err == nil && n == 0:
			left = 0
		case err != nil:
			return unreadable
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// namesIn names what is in a folder, by its path.
func namesIn(real string) []string {
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}
