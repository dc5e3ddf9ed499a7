package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessagesAreOneLineWithoutKeys(t *testing.T) {
	require.Equal(t, "a b c", Peer{}.Line(" a\r\n\tb\x1b c "))
	require.Equal(t, "not yours at all", Peer{}.Line("not\nyours\tat  \u200ball"))
	require.Equal(t, "your key [key] and sk-… (sk-…", Peer{Key: "hunter22"}.Line("your key hun\u200bter22 and sk-proj-12 (sk-abc)"))
	require.Equal(t, "the header Authorization: Bearer [masked] and [masked]", Peer{}.Line("the header Authorization: Bearer 0123456789 and AIza"+"SyA0123456789abcdefghijklmnopqrstuv"))
	require.Equal(t, "a task-notification", Peer{Key: "k"}.Line("a task-notification"))
	require.Equal(t, strings.Repeat("ü", maxLine-1)+"…", Peer{}.Line(strings.Repeat("ü", 500)))
}

func TestAServerIsNamedSoThatAPersonKnowsWhoseErrorItIs(t *testing.T) {
	const official = "https://api.openai.com/v1"
	for base, want := range map[string]string{
		official:                                "OpenAI",
		"https://api.openai.com":                "OpenAI",
		"http://localhost:1234/v1":              "the server at localhost:1234",
		"https://user:secret@example.com/v1?k=": "the server at example.com",
		"https://api.openai.com.evil.example":   "the server at api.openai.com.evil.example",
		"http://ho st/v1":                       "the server",
		"":                                      "the server",
	} {
		require.Equal(t, want, NameOf("OpenAI", official, "the server", base), base)
	}
	require.Equal(t, "Ollama at 127.0.0.1:11434", NameOf("Ollama", "", "Ollama", "http://127.0.0.1:11434/v1"))
}
