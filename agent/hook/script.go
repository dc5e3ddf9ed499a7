package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"pawl/internal/regular"
)

// MaxScript is how long a script of a project's hook may be, in bytes.
const MaxScript = 1 << 20

// Digest is the digest of a script as it is now. It never waits for what only looks like a
// file.
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
