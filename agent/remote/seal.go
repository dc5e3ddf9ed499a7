package remote

import (
	"crypto/ecdh"
	"crypto/hpke"
	"errors"
	"fmt"
)

// sealer seals texts for the other end of a pipe that others can read, and opens those that the
// other end has sealed. Its own key is made for one run and one process, and is never kept.
type sealer struct {
	own   hpke.PrivateKey
	other hpke.PublicKey // nil until it is met
}

func newSealer() (*sealer, error) {
	own, err := hpke.DHKEM(ecdh.X25519()).GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("make a key for the pipe: %w", err)
	}
	return &sealer{own: own}, nil
}

// public is the key that the other end seals to.
func (s *sealer) public() []byte { return s.own.PublicKey().Bytes() }

// meet takes in the other end's public key.
func (s *sealer) meet(public []byte) (err error) {
	if s.other, err = hpke.DHKEM(ecdh.X25519()).NewPublicKey(public); err != nil {
		return fmt.Errorf("the key of the other end of the pipe is not valid: %w", err)
	}
	return nil
}

// seal seals a text. Only open with the same purpose opens it, at the other end.
func (s *sealer) seal(purpose, text string) ([]byte, error) {
	if s.other == nil {
		return nil, errors.New("the other end of the pipe has no key to seal to")
	}
	return hpke.Seal(s.other, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), []byte(purpose), []byte(text))
}

func (s *sealer) open(purpose string, sealed []byte) (string, error) {
	text, err := hpke.Open(s.own, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), []byte(purpose), sealed)
	if err != nil {
		return "", fmt.Errorf("what came through the pipe was not sealed for this end: %w", err)
	}
	return string(text), nil
}

// The purposes of what is sealed, which bind it to its provider and direction.
func keyOf(provider string) string     { return "pawl: the key of " + provider }
func refusedOf(provider string) string { return "pawl: the refused key of " + provider }
