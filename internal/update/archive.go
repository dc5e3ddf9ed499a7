package update

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
)

// programName is the name of the program in an archive.
const programName = "pawl"

const largestProgram = 256 << 20

// unpack returns the program of an archive.
func unpack(archive []byte, name string) ([]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s has no %s in it", name, programName)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if header.Typeflag != tar.TypeReg || path.Base(header.Name) != programName {
			continue
		}
		if header.Size > largestProgram {
			return nil, fmt.Errorf("%s has a program of %d MiB in it, more than any release has", name, header.Size>>20)
		}
		return io.ReadAll(files)
	}
}
