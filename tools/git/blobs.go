package git

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // it is git's
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// BlobOf is the id under which git keeps a content.
func BlobOf(content []byte) [hashSize]byte {
	h := sha1.New() //nolint:gosec // it is git's
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return [hashSize]byte(h.Sum(nil))
}

// Blobs reads blobs as git keeps them, by their ids. What git does not have is left out. All of them
// are held in memory, so ask for no more than some 32 MB. ids is asked while git starts, on another
// goroutine.
func (r Repository) Blobs(ctx context.Context, ids func() [][hashSize]byte) (map[[hashSize]byte][]byte, error) {
	in, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	go func() {
		defer theirs.Close()
		for _, id := range ids() {
			if _, err := io.WriteString(theirs, BlobID(id)+"\n"); err != nil {
				return // git has ended, and says why
			}
		}
	}()
	text, err := r.runWith(ctx, in, r.Folder, "cat-file", "--batch", "--buffer")
	if err != nil {
		return nil, fmt.Errorf("read what git holds: %w", err)
	}
	return blobsIn(text)
}

var errStrangeBatch = errors.New("git cat-file --batch: an answer that is not understood")

func blobsIn(text []byte) (map[[hashSize]byte][]byte, error) {
	blobs := map[[hashSize]byte][]byte{}
	for len(text) > 0 {
		head, rest, found := bytes.Cut(text, []byte("\n"))
		fields := strings.Fields(string(head))
		if found && len(fields) == 2 { // it is missing
			text = rest
			continue
		}
		if !found || len(fields) != 3 {
			return nil, errStrangeBatch
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size >= len(rest) {
			return nil, errStrangeBatch
		}
		if content := rest[:size:size]; fields[1] == "blob" {
			blobs[BlobOf(content)] = content
		}
		text = rest[size+1:]
	}
	return blobs, nil
}
