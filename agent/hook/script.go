package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"pawl/internal/regular"
)

// MaxScript is the largest script of a project's hook, in bytes.
const MaxScript = 1 << 20

// Digest is the SHA-256 of a script, in hex. It does not block on files that are not regular.
func Digest(path string) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	switch n, err := io.Copy(sum, io.LimitReader(file, MaxScript+1)); {
	case err != nil:
		return "", err
	case n > MaxScript:
		return "", fmt.Errorf("it is larger than %d KiB", MaxScript>>10)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
