package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"

	"pawl/internal/regular"
)

// identity is who may use a server, and by what others know it.
type identity struct {
	user        string           // the public key of its one user
	certificate *tls.Certificate // nil: without TLS
	creds       string           // the file for other machines
}

// The files of a server's folder.
const (
	seedFile        = "user.seed"
	certificateFile = "server.pem"
	credsFile       = "remote.creds"
)

// maxFile bounds the files of the folder, in bytes.
const maxFile = 1 << 20

// identify reads the identity in the server's folder, or makes it there at the first start.
func identify(o options) (identity, error) {
	seed, err := kept(filepath.Join(o.folder, seedFile), newSeed)
	if err != nil {
		return identity{}, err
	}
	user, err := nkeys.ParseDecoratedUserNKey(seed)
	if err != nil {
		return identity{}, fmt.Errorf("%s holds no user's seed (%w): put it right, or remove it, and a new one is made", filepath.Join(o.folder, seedFile), err)
	}
	i := identity{creds: filepath.Join(o.folder, credsFile)}
	if i.user, err = user.PublicKey(); err != nil {
		return identity{}, err
	}
	text := bytes.Clone(seed)
	if !o.plain {
		own, err := i.certify(o)
		if err != nil {
			return identity{}, err
		}
		text = append(text, own...)
	}
	return i, replace(i.creds, text)
}

// certify finds the certificate, and returns what others must know to trust it: nothing for one that
// was given.
func (i *identity) certify(o options) ([]byte, error) {
	if o.cert != "" {
		given, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return nil, fmt.Errorf("the certificate %s with the key %s cannot be used: %w", o.cert, o.key, err)
		}
		i.certificate = &given
		return nil, nil
	}
	path := filepath.Join(o.folder, certificateFile)
	text, err := kept(path, newCertificate)
	if err != nil {
		return nil, err
	}
	own, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used (%w): remove it, and a new one is made, for which every other machine needs the new %s", path, err, credsFile)
	}
	i.certificate = &own
	return certificatePEM(own.Certificate[0]), nil
}

// newSeed makes a user's key.
func newSeed() ([]byte, error) {
	user, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := user.Seed()
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "# Whoever has this may run programs on the machines of this server's workers.\n"+
		"-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", seed), nil
}

// kept is what a file of the folder holds; one that is not there is made.
func kept(path string, content func() ([]byte, error)) ([]byte, error) {
	text, err := regular.Read(path, maxFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	if text, err = content(); err != nil {
		return nil, err
	}
	return text, replace(path, text)
}

// replace writes a file, readable by the user alone, in one go.
func replace(path string, text []byte) error {
	if now, err := regular.Read(path, maxFile); err == nil && bytes.Equal(now, text) {
		return nil
	}
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
