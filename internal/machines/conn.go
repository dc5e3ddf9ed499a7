package machines

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
)

// Half is what one end brings to a connection: a key pair that is made for it alone, and is kept in
// memory alone.
type Half struct{ own *ecdh.PrivateKey }

// NewHalf makes one. It is used for one connection: the same keys again would seal two texts alike.
func NewHalf() (Half, error) {
	own, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return Half{}, fmt.Errorf("make a key for a connection: %w", err)
	}
	return Half{own}, nil
}

// Public is what the other end must be told, in a message that it can check.
func (h Half) Public() []byte { return h.own.PublicKey().Bytes() }

// Join makes the connection with this number of an attempt, of this half and the public key of the
// other. Both ends get the same.
func (h Half) Join(other []byte, attempt Attempt, number uint64) (Conn, error) {
	c := Conn{Attempt: attempt, Number: number, ciphers: map[Kind]cipher.AEAD{}}
	public, err := ecdh.X25519().NewPublicKey(other)
	var shared []byte
	if err == nil {
		shared, err = h.own.ECDH(public)
	}
	if err != nil {
		return Conn{}, fmt.Errorf("the key of the other end is not valid: %w", err)
	}
	both := [][]byte{h.Public(), other}
	slices.SortFunc(both, bytes.Compare)
	salt := fmt.Appendf(slices.Concat(both...), "%s %d %d", attempt.Run, attempt.Number, number)
	for _, kind := range []Kind{KindUp, KindDown, KindGone, KindResult} {
		if c.ciphers[kind], err = cipherOf(shared, salt, kind); err != nil {
			return Conn{}, fmt.Errorf("make the keys of a connection: %w", err)
		}
	}
	return c, nil
}

func cipherOf(shared, salt []byte, kind Kind) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, shared, salt, "pawl 1 "+string(kind), 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Conn is a connection between the process of a host and that of a worker, for one attempt: nobody
// else can read what goes through it, or say anything in it. A host that takes the place of another
// joins one of its own. The zero value is none.
type Conn struct {
	Attempt
	Number  uint64
	ciphers map[Kind]cipher.AEAD // of each kind that goes through it
}

// Seal is a frame as it is sent: its head in clear, bound to data that only the other end can read.
// One with the same kind and number must be the same frame.
func (c Conn) Seal(kind Kind, f Frame) []byte {
	head := f.head()
	return c.ciphers[kind].Seal(head, nonce(f), f.Data, head)
}

// Open returns the data of a frame that the other end has sealed as this kind, and as it is.
func (c Conn) Open(kind Kind, f Frame) ([]byte, error) {
	if f.Attempt != c.Attempt || f.Conn != c.Number || c.ciphers == nil {
		return nil, errStrange
	}
	data, err := c.ciphers[kind].Open(nil, nonce(f), f.Data, f.head())
	if err != nil {
		return nil, errStrange
	}
	return data, nil
}

func nonce(f Frame) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, 12), uint64(f.Number)) //nolint:gosec // any number is one
}
