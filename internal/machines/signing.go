package machines

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// The headers of a signed message.
const (
	keyHeader       = "Pawl-Key"
	signatureHeader = "Pawl-Signature"
)

// signed is what the signature of a message is made of: it cannot be moved to another subject.
func signed(subject string, body []byte) []byte {
	return append([]byte("pawl 1\n"+subject+"\n"), body...)
}

// replied is what the signature of a reply is made of: it fits no other request.
func replied(subject string, request, reply []byte) []byte {
	about := sha256.Sum256(request)
	return slices.Concat([]byte("pawl 1 reply\n"+subject+"\n"), about[:], reply)
}

// sign returns the headers of a message that is signed; none without credentials.
func (l *Link) sign(content []byte) nats.Header {
	if l.user == "" {
		return nil
	}
	header := nats.Header{}
	header.Set(keyHeader, l.user)
	header.Set(signatureHeader, base64.StdEncoding.EncodeToString(ed25519.Sign(l.key, content)))
	return header
}

// User is the public key of this end's user; empty without credentials.
func (l *Link) User() string { return l.user }

// trust is whose messages are obeyed.
type trust struct {
	own  bool                // this end has credentials
	keys map[string]struct{} // public keys of users
}

func (t trust) with(keys ...string) trust {
	t.keys = maps.Clone(t.keys)
	if t.keys == nil {
		t.keys = map[string]struct{}{}
	}
	for _, key := range keys {
		t.keys[key] = struct{}{}
	}
	return t
}

// Accept makes this end obey these users, too, beside its own. An error names a key that is not a
// user's public key.
func (l *Link) Accept(keys []string) error {
	i := slices.IndexFunc(keys, func(key string) bool { return !nkeys.IsValidPublicUserKey(key) })
	if i >= 0 {
		return fmt.Errorf("%q is not the public key of a NATS user: those begin with U", keys[i])
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trust = l.trust.with(keys...)
	return nil
}

func (l *Link) trusted() trust {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trust
}

// TakesUnsigned reports whether this end obeys anybody: it has no credentials and was given no keys.
func (l *Link) TakesUnsigned() bool { return l.trusted().open() }

func (t trust) open() bool { return !t.own && len(t.keys) == 0 }

// check says why a message must not be obeyed: a *TrustError.
func (t trust) check(header nats.Header, content []byte) error {
	key := header.Get(keyHeader)
	switch {
	case key == "" && t.open():
		return nil
	case key == "":
		return &TrustError{Unsigned: true}
	case !nkeys.IsValidPublicUserKey(key):
		return &TrustError{}
	}
	if _, known := t.keys[key]; !known && !t.open() {
		return &TrustError{Key: key}
	}
	signature, err := base64.StdEncoding.DecodeString(header.Get(signatureHeader))
	if err != nil {
		return &TrustError{}
	}
	public, err := nkeys.FromPublicKey(key)
	if err != nil || public.Verify(content, signature) != nil {
		return &TrustError{}
	}
	return nil
}
