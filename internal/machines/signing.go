package machines

import (
	"encoding/base64"
	"errors"
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

// signed is what a signature is made of: a message cannot be moved to another subject.
func signed(subject string, body []byte) []byte {
	return append([]byte("pawl 1\n"+subject+"\n"), body...)
}

// sign returns the headers of a message; none without credentials.
func (l *Link) sign(subject string, body []byte) (nats.Header, error) {
	if l.key == nil {
		return nil, nil
	}
	key, err := l.key.PublicKey()
	if err != nil {
		return nil, err
	}
	signature, err := l.key.Sign(signed(subject, body))
	if err != nil {
		return nil, err
	}
	header := nats.Header{}
	header.Set(keyHeader, key)
	header.Set(signatureHeader, base64.StdEncoding.EncodeToString(signature))
	return header, nil
}

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

// check says why a message must not be obeyed.
func (t trust) check(subject string, header nats.Header, body []byte) error {
	key := header.Get(keyHeader)
	if key == "" && t.open() {
		return nil
	}
	if key == "" {
		return errors.New("the job is not signed, and this worker accepts only signed jobs: set creds in [remote] where you use Pawl")
	}
	if _, known := t.keys[key]; !known && !t.open() {
		return fmt.Errorf("it does not accept the key %.60s: add that to the file of --accept", key)
	}
	signature, err := base64.StdEncoding.DecodeString(header.Get(signatureHeader))
	if err != nil {
		return errors.New("its signature cannot be read")
	}
	public, err := nkeys.FromPublicKey(key)
	if err != nil || public.Verify(signed(subject, body), signature) != nil {
		return errors.New("its signature does not fit: it was changed, or put into another queue")
	}
	return nil
}
