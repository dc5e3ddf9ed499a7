package update

import (
	"errors"
	"fmt"

	"aead.dev/minisign"
)

// Key is the public key whose signature a release must have.
type Key struct{ public minisign.PublicKey }

// ErrNoKey says that this build takes no releases: nobody has said whose.
var ErrNoKey = errors.New("this build knows no key: take a new build in the way you got this one")

// ParseKey reads a key as minisign writes it, without its comment. An empty text is ErrNoKey.
func ParseKey(text string) (Key, error) {
	if text == "" {
		return Key{}, ErrNoKey
	}
	var k Key
	if err := k.public.UnmarshalText([]byte(text)); err != nil {
		return Key{}, fmt.Errorf("the release key of this build cannot be read (%w): take a new build in the way you got this one", err)
	}
	return k, nil
}

// ID is the short name of the key, as minisign prints it.
func (k Key) ID() string { return fmt.Sprintf("%016X", k.public.ID()) }

func (k Key) signed(text, signature []byte) bool { return minisign.Verify(k.public, text, signature) }
