package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"time"
)

// certificateName is the one name of a server's own certificate. Others hold the certificate itself,
// and ask for it by this name whatever address they have: a machine's addresses change.
const certificateName = "pawl-server"

// It is trusted as it is, like the key of an SSH server, and by nobody else: it need not run out.
// Clocks of other machines may be slow.
const (
	certificateYears = 20
	certificateSlack = 48 * time.Hour
)

// newCertificate makes a certificate that signs itself, and the key to it, in PEM.
func newCertificate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	const serialBits = 128
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), serialBits))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	form := x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: certificateName}, DNSNames: []string{certificateName},
		NotBefore: now.Add(-certificateSlack), NotAfter: now.AddDate(certificateYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, &form, &form, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(certificatePEM(signed), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...), nil
}

func certificatePEM(certificate []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
}
