package machines

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// secure is how a connection is encrypted: nil leaves that to the server and the system's
// authorities. Certificates that stand with the credentials are all that is trusted then: pawl-server
// writes its own there.
func (o Options) secure() (*tls.Config, error) {
	if o.CA != "" {
		pool, err := certificates(o.CA)
		if err != nil {
			return nil, err
		}
		return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
	}
	if o.Creds == "" {
		return nil, nil
	}
	content, err := os.ReadFile(o.Creds)
	if err != nil {
		return nil, fmt.Errorf("read the credentials for the NATS server: %w", err)
	}
	return pinned(o.Creds, content)
}

// pinned trusts the certificates in a file of credentials. One that is no authority's is the server's
// own: the server is known by it, at whichever address it is found.
func pinned(file string, content []byte) (*tls.Config, error) {
	const begins = "-----BEGIN CERTIFICATE-----"
	var config *tls.Config
	for range bytes.Count(content, []byte(begins)) {
		content = content[bytes.Index(content, []byte(begins)):] // the lines around a seed are no PEM
		var one *x509.Certificate
		block, rest := pem.Decode(content)
		err := errors.New("no PEM")
		if block != nil {
			one, err = x509.ParseCertificate(block.Bytes)
		}
		if err != nil {
			return nil, fmt.Errorf("a certificate in %s cannot be read: copy the file again", file)
		}
		content = rest
		if config == nil {
			config = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
		}
		config.RootCAs.AddCert(one)
		if !one.IsCA && len(one.DNSNames) > 0 {
			config.ServerName = one.DNSNames[0]
		}
	}
	return config, nil
}
