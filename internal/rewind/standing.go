package rewind

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/place"
)

// largest is how large a file may be that is read, in bytes: no larger one is kept.
const largest = 64 << 20

// Standing is what stands at a path of a folder now, or why nothing can be put there.
func Standing(folder *os.Root, name string) (lifecycle.FileState, error) {
	in, err := place.Folder(folder, path.Dir(name), false)
	switch {
	case absent(err):
		return lifecycle.FileState{}, nil
	case err != nil:
		return lifecycle.FileState{}, err
	}
	defer in.Close()
	info, err := in.Lstat(path.Base(name))
	switch {
	case absent(err):
		return lifecycle.FileState{}, nil
	case err != nil:
		return lifecycle.FileState{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := in.Readlink(path.Base(name))
		return lifecycle.FileState{Kind: lifecycle.FileLink, Hash: hashOf([]byte(to)), Size: int64(len(to))}, err
	case info.IsDir():
		return lifecycle.FileState{}, errors.New("a folder stands in its place")
	case !info.Mode().IsRegular():
		return lifecycle.FileState{}, fmt.Errorf("a %s stands in its place", place.KindOf(info.Mode()))
	case info.Size() > largest:
		return lifecycle.FileState{}, errors.New("what stands there is larger than " + words.Size(largest) + ", so it could not be kept")
	}
	return regularFile(in, path.Base(name))
}

func regularFile(in *os.Root, name string) (lifecycle.FileState, error) {
	file, err := regular.OpenIn(in, name)
	if err != nil {
		return lifecycle.FileState{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return lifecycle.FileState{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(sum, file)
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: hex.EncodeToString(sum.Sum(nil)), Size: size, Mode: uint32(info.Mode().Perm())}, err
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
