package folderwatch

import (
	"cmp"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"pawl/lifecycle"
	"pawl/tools/workspace"
)

// kind is what stands at a name.
type kind uint8

const (
	nothing kind = iota
	regularFile
	link
	directory
	special // a pipe, a socket, a device
)

// stamp is what the system says of a file without opening it. Times are in nanoseconds since 1970.
type stamp struct {
	kind              kind
	linked            bool   // a file that has other names too
	perm              uint32 // permission bits
	inode             uint64
	size              int64
	modified, changed int64
}

// untouched reports that of a file nothing but its ctime has changed, as by another link to it.
func (s stamp) untouched(since stamp) bool {
	s.changed, s.linked = since.changed, since.linked
	return s == since
}

// holding says what is known of the content of a file.
type holding uint8

const (
	unknown holding = iota
	kept            // the file store has it, by its SHA-256
	blob            // git has it, by the id of the blob
	tooLarge
	tooMuch   // the bound for the whole session is reached
	forbidden // a rule forbids to read it
	unkept    // it could not be read, or the store refused it
)

// file is a file, a link or a special file of the table, as it last stood.
type file struct {
	name string
	stamp
	// racy: it was changed so shortly before it was looked at that a further change may have left
	// the same times.
	racy   bool
	held   holding
	sum    [32]byte // by held: the SHA-256, or the id of a blob of 20 bytes
	target string   // of a link
}

func (f *file) hash() string {
	if f.held != kept {
		return ""
	}
	return hex.EncodeToString(f.sum[:])
}

// state is f as a change tells it, without what it holds. What is no file is told as one that was
// not read: the change says what it is.
func (f *file) state() lifecycle.FileState {
	switch f.kind {
	case regularFile:
		return lifecycle.FileState{Kind: lifecycle.FileRegular, Size: f.size, Mode: f.perm}
	case link:
		return lifecycle.FileState{Kind: lifecycle.FileLink, Size: int64(len(f.target))}
	case directory, special:
		return lifecycle.FileState{Kind: lifecycle.FileRegular}
	case nothing:
	}
	return lifecycle.FileState{}
}

// folder is a folder of the table.
type folder struct {
	name, path string // the path is relative, with slashes; that of the top is "."
	stamp      stamp  // as it was when its names were read
	racy       bool   // as that of a file
	again      bool   // they must be read again, though it is as it was
	nested     stamp  // of the git folder of a repository of its own, into which nobody looks; zero: it is none
	ignores    stamp  // of its ignore file
	rules      workspace.Rules
	files      []file // in the order of names, as folders are
	folders    []*folder

	told   int32 // what the kernel calls it, which tells of changes in it; 0: it does not
	due    due   // what must be looked at, whatever the kernel tells
	inner  bool  // there is something to look at below it
	linked bool  // one of its files has other names too: of what is done by those it is not told
}

// due is what must be looked at of a folder. Each is more than those before.
type due uint8

const (
	dueNothing due = iota
	dueItself      // its names and files
	dueBelow       // and all below it
	dueRules       // and which of that is ignored
)

// looks says that a folder must be looked at.
func (f *folder) looks() bool {
	return f.told == 0 || f.due > dueNothing || f.again || f.linked || f.nested.kind != nothing
}

// seek notes at each folder whether there is something to look at below it, and reports whether there
// is, in it or below.
func (f *folder) seek() bool {
	f.inner = false
	for _, below := range f.folders {
		if below.seek() {
			f.inner = true
		}
	}
	return f.inner || f.looks()
}

func (f *folder) at(name string) string { return path.Join(f.path, name) }

func byName(f file, name string) int { return cmp.Compare(f.name, name) }

func folderByName(f *folder, name string) int { return cmp.Compare(f.name, name) }

// find returns a file of the table by its path, nil where there is none.
func (f *folder) find(at string) *file {
	for {
		first, rest, below := strings.Cut(at, "/")
		if !below {
			i, found := slices.BinarySearchFunc(f.files, first, byName)
			if !found {
				return nil
			}
			return &f.files[i]
		}
		i, found := slices.BinarySearchFunc(f.folders, first, folderByName)
		if !found {
			return nil
		}
		f, at = f.folders[i], rest
	}
}

// put sets what stands at a path; nothing: it is gone. Folders on the way are made in the table.
func (f *folder) put(at string, now file) {
	dir, name := path.Split(at)
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if part == "" {
			continue
		}
		i, found := slices.BinarySearchFunc(f.folders, part, folderByName)
		if !found {
			f.folders = slices.Insert(f.folders, i, &folder{name: part, path: f.at(part), again: true})
		}
		f = f.folders[i]
	}
	i, found := slices.BinarySearchFunc(f.files, name, byName)
	switch now.name = name; {
	case found && now.kind == nothing:
		f.files = slices.Delete(f.files, i, i+1)
	case found:
		f.files[i] = now
	case now.kind != nothing:
		f.files = slices.Insert(f.files, i, now)
	}
}

// each visits every file below a folder.
func (f *folder) each(visit func(in *folder, one *file)) {
	for i := range f.files {
		visit(f, &f.files[i])
	}
	for _, below := range f.folders {
		below.each(visit)
	}
}
