package mask

import (
	"slices"
	"strings"
)

// SecretVariable reports whether an environment variable of this name holds a key, a token
// or a password: it is kept from programs that a model starts, and hidden where others may
// read. A URL is not one, though it can contain a password (DATABASE_URL), because the
// project's own programs need it.
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
