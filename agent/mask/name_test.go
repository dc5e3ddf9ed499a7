package mask

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// What looks for a value first leaves out no secret that the pattern alone would find, in
// texts made of what the patterns are made of.
func TestASecretByNameIsFoundAsItsPatternAloneFindsIt(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	names := []string{
		"token", "apiKey", "api_KEY", "API_TOKEN", "client-secret", "password", "PASSWD", "passphrase", "CREDENTIALS", "Authorization",
		"x-api-key", "Cookie", "aws_secret_access_key", "aws_\u017fecret_access_key", "api_\u212aey", "author", "tokens",
	}
	between := []string{"", " ", "\\", "\\\"", "\"", "'", "\n", "\t ", ":", "=", ": ", " = ", ":\"", "='", "Bearer ", "s", "\xff", "é"}
	values := []string{"AbCdEf0123456789AbCdEf0123456789", "\"correct horse\"", "a=0123456789abcdef", "$REF", "x"}
	matched, texts := 0, soaktest.Count(t, 5_000, 20_000) // under the race detector a pattern takes ten times as long
	for range texts {
		var text strings.Builder
		for range 1 + random.IntN(3) {
			text.WriteString(names[random.IntN(len(names))])
			for range random.IntN(4) {
				text.WriteString(between[random.IntN(len(between))])
			}
			text.WriteString(values[random.IntN(len(values))] + between[random.IntN(len(between))])
		}
		for _, shape := range shapes() {
			if shape.assigned && shape.pattern().MatchString(text.String()) {
				matched++
				require.True(t, assigns(text.String()), "%q", text.String())
			}
		}
	}
	soaktest.Tried(t, texts, "texts in which a secret by name may stand")
	require.Greater(t, matched, texts/10)
}

// A text that only speaks of keys is not searched by pattern.
func TestANameWithoutAValueIsNoReasonToSearch(t *testing.T) {
	for _, text := range []string{"", "40,000 tokens in, 300 out", "12:00:00 a token", "input_tokens", "a key. Note: none", "if a == b {", "token"} {
		require.False(t, assigns(text), text)
	}
}
