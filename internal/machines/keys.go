package machines

import (
	"fmt"
	"strings"

	"github.com/nats-io/nkeys"

	"pawl/internal/regular"
)

// maxKeys bounds a file of keys, in bytes.
const maxKeys = 1 << 20

// ReadKeys reads the public keys of users for Link.Accept, one a line. What follows # is a comment.
func ReadKeys(path string) ([]string, error) {
	text, err := regular.Read(path, maxKeys)
	if err != nil {
		return nil, err
	}
	var keys []string
	row := 0
	for line := range strings.Lines(string(text)) {
		row++
		line, _, _ = strings.Cut(line, "#")
		key := strings.TrimSpace(line)
		switch {
		case key == "":
			continue
		case strings.HasPrefix(key, "S"):
			return nil, fmt.Errorf("%s:%d: is a seed, which is secret: the public key of a user is wanted, which begins with U", path, row)
		case !nkeys.IsValidPublicUserKey(key):
			return nil, fmt.Errorf("%s:%d: %q is not the public key of a user, which begins with U", path, row, key)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s: holds no key", path)
	}
	return keys, nil
}
