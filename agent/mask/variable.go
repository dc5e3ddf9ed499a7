package mask

import (
	"slices"
	"strings"
)

// SecretVariable says whether an environment variable of that name holds a key, a token
// or a password: what is kept from programs that a model starts, and hidden where
// somebody else may read. An address is none, though a password can stand in it
// (DATABASE_URL): what a project's own programs need to run has to stay.
func SecretVariable(name string) bool {
	names := []string{
		"API_KEY", "APIKEY", "TOKEN", "SECRET", "GOOGLE_APPLICATION_CREDENTIALS",
	}
	ends := []string{
		"_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "_PASS", "_PWD",
		"_PAT", "_AUTH", "_CREDENTIALS", "_CREDS",
	}
	name = strings.ToUpper(name)
	return slices.Contains(names, name) ||
		slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }) ||
		strings.HasPrefix(name, "GOOGLE_") && strings.Contains(name, "KEY") ||
		strings.HasPrefix(name, "OTEL_") && strings.HasSuffix(name, "_HEADERS")
}
