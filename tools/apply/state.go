package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/place"
)

// maxContent is the largest file that is put in place or replaced: what a file store keeps.
const maxContent = 64 << 20

// standing is what stands at a path.
type standing struct {
	lifecycle.FileState
	info    fs.FileInfo // nil: nothing stands there
	content []byte
	folder  bool // a folder stands there
}

// Look says what stands at a path below a root: relative, with slashes. What is neither a file, a
// symbolic link nor nothing is an error. Of a file above 64 MB the hash is left empty.
func Look(root *os.Root, at string) (lifecycle.FileState, error) {
	now, err := look(root, at)
	if err == nil && now.folder {
		err = errors.New("it is a folder")
	}
	return now.FileState, err
}

func look(root *os.Root, at string) (standing, error) {
	dir, err := place.Folder(root, path.Dir(at), false)
	if absent(err) {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, plainCause(err)
	}
	defer dir.Close()
	now, err := lookIn(dir, path.Base(at))
	return now, plainCause(err)
}

// absent reports an error that says that nothing stands there.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, place.ErrNoFolder)
}

func lookIn(dir *os.Root, name string) (standing, error) {
	info, err := dir.Lstat(name)
	if absent(err) {
		return standing{}, nil
	}
	if err != nil {
		return standing{}, err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return standing{info: info, folder: true}, nil
	case mode&fs.ModeSymlink != 0:
		target, err := dir.Readlink(name)
		return held(info, lifecycle.FileState{Kind: lifecycle.FileLink}, []byte(target)), err
	case !mode.IsRegular():
		return standing{}, fmt.Errorf("it is a %s", place.KindOf(mode))
	}
	state := lifecycle.FileState{Kind: lifecycle.FileRegular, Size: info.Size(), Mode: uint32(info.Mode().Perm())}
	if info.Size() > maxContent {
		return standing{info: info, FileState: state}, nil
	}
	return readIn(dir, name, info, state)
}

func readIn(dir *os.Root, name string, info fs.FileInfo, state lifecycle.FileState) (standing, error) {
	f, err := regular.OpenIn(dir, name)
	if err != nil {
		return standing{}, err
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return standing{}, place.ErrMoved
	}
	content, err := io.ReadAll(io.LimitReader(f, maxContent+1))
	return held(info, state, content), err
}

func held(info fs.FileInfo, state lifecycle.FileState, content []byte) standing {
	sum := sha256.Sum256(content)
	state.Hash, state.Size = hex.EncodeToString(sum[:]), int64(len(content))
	return standing{FileState: state, info: info, content: content}
}

// differs says in a few words what is not as it was expected.
func differs(now standing, expected lifecycle.FileState) string {
	switch {
	case now.folder:
		return "it is a folder now"
	case now.Kind == lifecycle.FileNone:
		return "it is gone"
	case expected.Kind == lifecycle.FileNone:
		return "it is there again"
	case now.Kind != expected.Kind:
		return "it is another kind of file now"
	case now.Hash == expected.Hash && now.Hash != "":
		return fmt.Sprintf("its permissions are %v now", fs.FileMode(now.Mode))
	}
	return "it holds something else now"
}

// plainCause is what the system said, without the name of a file on its way.
func plainCause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// about names a file in an error.
func about(path string, err error) error { return &fileError{path, plainCause(err)} }

// fileError is what kept a file from its place.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return words.Path(e.path) + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }
