package models

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
)

// Without its address a key would go to the maker's own server, which is another's.
func TestAKeyIsLentOnlyWithTheAddressThatItIsFor(t *testing.T) {
	m := withProviders(map[string]settings.Provider{
		"azure":    {Kind: "chat", BaseURL: "https://x.example/v1?api-version=2", KeyEnv: "AZURE", KeyHeader: "api-key"},
		"variable": {Kind: "openai", BaseURL: "https://${GATEWAY}/v1", KeyEnv: "KEY"},
		"user":     {Kind: "openai", BaseURL: "https://me:secret@x.example/v1"},
		"headed":   {Kind: "anthropic", BaseURL: "https://x.example", Headers: map[string]string{"Authorization": "Bearer ${GATEWAY}"}},
		"plain":    {Kind: "openai", BaseURL: "https://y.example/v1", KeyEnv: "KEY", Headers: map[string]string{"X-Team": "us"}},
		"aws":      {Kind: "bedrock", BaseURL: "https://bedrock.example"},
	}, "GATEWAY=g", "OPENAI_API_KEY=k", "OPENAI_BASE_URL=https://gateway.example/v1", "GOOGLE_GEMINI_BASE_URL=https://me@g.example",
		"OLLAMA_HOST=here:11434", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=s")
	lent, kept := m.Lent()
	require.Equal(t, map[string]settings.Provider{
		"anthropic":   {}, // not the address that the other machine may have for it
		"openai":      {BaseURL: "https://gateway.example/v1"},
		"openai-chat": {BaseURL: "https://gateway.example/v1"},
		"plain":       {Kind: "openai", BaseURL: "https://y.example/v1", Headers: map[string]string{"X-Team": "us"}},
	}, lent)
	const do = `: say keys = "worker" in [remote], and set it up there`
	require.Equal(t, map[string]string{
		"azure":    "the address of azure has a query or a user, which may hold a key, and stays at home" + do,
		"user":     "the address of user has a query or a user, which may hold a key, and stays at home" + do,
		"gemini":   "the address of gemini has a query or a user, which may hold a key, and stays at home" + do,
		"variable": "the address of variable has a variable, which may hold a key, and stays at home" + do,
		"headed":   "the header Authorization of headed may hold a key, and stays at home" + do,
		"aws":      "aws signs with an access key, which stays at home" + do,
	}, kept)
}
