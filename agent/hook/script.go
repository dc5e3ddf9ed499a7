package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// LongestScript is how long a script of a project's hook may be, in bytes.
const LongestScript = 1 << 20

// Sum is the digest of a script as it is now. It never waits for what only looks like a
// file.
func Sum(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	sum := sha256.New()
	switch n, err := io.Copy(sum, io.LimitReader(file, LongestScript+1)); {
	case err != nil:
		return "", err
	case n > LongestScript:
		return "", fmt.Errorf("it has more than %d KiB", LongestScript>>10)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
