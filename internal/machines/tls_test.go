package machines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What pawl-server writes for other machines.
const ofServer = `# Whoever has this may run programs on the machines of this server's workers.
-----BEGIN USER NKEY SEED-----
SUAI36S5SE75AE2JT7KXTHWU7O3FSYTD4F6QHQVOBQY3MPRJDWORBMXWJQ
------END USER NKEY SEED------
-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgIQThmw0i5S4iAMZxRaLcIhqDAKBggqhkjOPQQDAjAWMRQw
EgYDVQQDEwtwYXdsLXNlcnZlcjAeFw0yNjExMjIxNTQ1NDZaFw00NjExMjQxNTQ1
NDZaMBYxFDASBgNVBAMTC3Bhd2wtc2VydmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAElkg8XdOI5p3qwda5fqZzDwHdoydb+PDZp9NJchpeXnBB9GY2HLbkI+kl
sn5zTyyGseZsEBgh8oXIgJmj6H2mWKNNMEswDgYDVR0PAQH/BAQDAgeAMBMGA1Ud
JQQMMAoGCCsGAQUFBwMBMAwGA1UdEwEB/wQCMAAwFgYDVR0RBA8wDYILcGF3bC1z
ZXJ2ZXIwCgYIKoZIzj0EAwIDRwAwRAIgNzpAufol4O3OyyrX5FhKxR9GHiuK6IfZ
OLFavAWrvcICID18nyIG+zZNwXkzLbW/pWFoZOSb0SbhqwElh6Tzi0AW
-----END CERTIFICATE-----
`

func TestACertificateBesideTheCredentialsIsTheServers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "remote.creds")
	require.NoError(t, os.WriteFile(file, []byte(ofServer), 0o600))
	config, err := Options{Creds: file}.secure()
	require.NoError(t, err)
	require.Equal(t, "pawl-server", config.ServerName)
	config, err = pinned(file, []byte(strings.Repeat(ofServer, 2)))
	require.NoError(t, err)
	require.NotNil(t, config)

	config, err = pinned(file, []byte(ofServer[:strings.Index(ofServer, "-----BEGIN CERT")]))
	require.NoError(t, err)
	require.Nil(t, config, "the system's authorities")
	_, err = pinned(file, []byte(strings.Replace(ofServer, "MIIB", "NOPE", 1)))
	require.ErrorContains(t, err, "a certificate in "+file+" cannot be read")
	_, err = pinned(file, []byte(ofServer[:strings.Index(ofServer, "-----END CERT")]))
	require.ErrorContains(t, err, "cannot be read: copy the file again")
}
