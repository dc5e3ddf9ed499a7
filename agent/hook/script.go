package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"pawl/internal/regular"
)

// LongestScript is how long a script of a project's hook may be, in bytes.
const LongestScript = 1 << 20

// Sum is the digest of a script as it is now. It never waits for what only looks like a
// file.
func Sum(path string) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	switch n, err := io.Copy(sum, io.LimitReader(file, LongestScript+1)); {
	case err != nil:
		return "", err
	case n > LongestScript:
		return "", fmt.Errorf("it is larger than %d KiB", LongestScript>>10)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
