package landing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/git"
)

// longest bounds a file that is landed, in bytes: more is not kept, so it could not be taken back.
const longest = 64 << 20

// side is what stands at a path on one of the three sides.
type side struct {
	kind    lifecycle.FileKind
	mode    uint32 // permission bits of a regular file
	content []byte // of a link: where it leads
}

func (s side) executable() bool { return s.kind == lifecycle.FileRegular && s.mode&0o100 != 0 }

// holds reports that two sides could not be told apart but for the mode.
func (s side) holds(as side) bool { return s.kind == as.kind && bytes.Equal(s.content, as.content) }

func (s side) state() lifecycle.FileState {
	if s.kind == lifecycle.FileNone {
		return lifecycle.FileState{}
	}
	state := lifecycle.FileState{Kind: s.kind, Hash: hashOf(s.content), Size: int64(len(s.content))}
	if s.kind == lifecycle.FileRegular {
		state.Mode = s.mode
	}
	return state
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// refusal says why a file is not for landing.
type refusal string

func (r refusal) Error() string { return string(r) }

// readFolder reads what stands at a path of the folder now. What goes is taken to be gone where it
// stands in the way.
func readFolder(root *os.Root, name string, goes map[string]bool) (side, error) {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		info, err := root.Lstat(at)
		switch {
		case goes[at]:
			return side{}, nil
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotFolder):
		case err != nil:
			return side{}, err
		case info.Mode()&fs.ModeSymlink != 0:
			return side{}, refusal("the folder has a link in its place: " + at)
		case !info.IsDir():
			return side{}, refusal("the folder has a file in place of its folder: " + at)
		}
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotFolder):
		return side{}, nil
	case err != nil:
		return side{}, err
	case info.IsDir() && goesWhole(root, name, goes):
		return side{}, nil
	case info.IsDir():
		return side{}, refusal("a folder stands in its place")
	}
	return readSide(root, name, info)
}

// goesWhole reports whether a folder holds nothing but files that go.
func goesWhole(root *os.Root, folder string, goes map[string]bool) bool {
	whole := true
	err := fs.WalkDir(root.FS(), folder, func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !goes[at] {
			whole = false
			return fs.SkipAll
		}
		return err
	})
	return err == nil && whole
}

// readSide reads a file or link.
func readSide(root *os.Root, name string, info fs.FileInfo) (side, error) {
	if info.Mode()&fs.ModeSymlink != 0 {
		to, err := root.Readlink(name)
		return side{kind: lifecycle.FileLink, content: []byte(to)}, err
	}
	if err := regular.Is(name, info); err != nil {
		return side{}, refusal("something that is no regular file stands in its place")
	}
	if info.Size() > longest {
		return side{}, tooLarge()
	}
	file, err := regular.OpenIn(root, name)
	if err != nil {
		return side{}, err
	}
	defer file.Close()
	content, err := regular.All(file, longest)
	return side{lifecycle.FileRegular, uint32(info.Mode().Perm()), content}, err
}

func tooLarge() refusal { return refusal("it is larger than " + words.Size(longest)) }

// readTree reads a file that was extracted of a tree, where it has this mode.
func readTree(root *os.Root, name string, mode uint32) (side, error) {
	if mode == git.ModeNone {
		return side{}, nil
	}
	info, err := root.Lstat(name)
	if err != nil {
		return side{}, fmt.Errorf("git did not give %s: %w", name, err)
	}
	s, err := readSide(root, name, info)
	if mode == git.ModeLink {
		s.kind, s.mode = lifecycle.FileLink, 0 // also where links are checked out as files
	} else {
		s.mode = asExecutable(s.mode, mode == git.ModeExecutable)
	}
	return s, err
}

// asExecutable makes a file executable for those who may read it, or for nobody.
func asExecutable(mode uint32, is bool) uint32 {
	if is {
		return mode | mode&0o444>>2
	}
	return mode &^ 0o111
}

// binary reports that content is not text, by git's rule.
func binary(content []byte) bool { return bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 }

// pointsTo reports that a file is what git-lfs has in place of another.
func (s side) pointsTo(whole side) bool {
	head, _, _ := strings.Cut(string(s.content[:min(len(s.content), 200)]), "\nsize ")
	return strings.HasPrefix(head, "version https://git-lfs.github.com/spec/v1\n") && strings.HasSuffix(head, "oid sha256:"+hashOf(whole.content))
}

// lineEnds are how the lines of a text end, where they all end the same: "\r\n" or "\n".
func lineEnds(text []byte) string {
	ends, both := bytes.Count(text, []byte("\n")), bytes.Count(text, []byte("\r\n"))
	switch {
	case ends == 0:
		return ""
	case both == ends:
		return "\r\n"
	case both == 0:
		return "\n"
	}
	return ""
}

// withEnds is a text whose lines end in another way.
func withEnds(text []byte, ends string) []byte {
	plain := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(plain, []byte("\n"), []byte(ends))
}
