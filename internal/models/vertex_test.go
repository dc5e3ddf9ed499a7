package models

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
)

// account is a service account of Google's, and a server that gives its tokens: it checks the
// signature of what asks.
func account(t *testing.T, token string) (file string) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header, rest, _ := strings.Cut(r.FormValue("assertion"), ".")
		claims, signature, _ := strings.Cut(rest, ".")
		sum := sha256.Sum256([]byte(header + "." + claims))
		signed, err := base64.RawURLEncoding.DecodeString(signature)
		if err != nil || rsa.VerifyPKCS1v15(&private.PublicKey, crypto.SHA256, sum[:], signed) != nil {
			http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"`+token+`","token_type":"Bearer","expires_in":3600}`)
	}))
	t.Cleanup(server.Close)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "pawl@example.iam.gserviceaccount.com", "private_key_id": "1", "token_uri": server.URL,
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})),
	})
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "account.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

func TestVertexIsAskedForGeminiAndClaudeInItsWay(t *testing.T) {
	const token = "ya29.token-0123456789"
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", account(t, token))
	asked := map[string]string{} // bodies, by path
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Api-Key")+r.Header.Get("X-Goog-Api-Key")+r.Header.Get("Anthropic-Version") != "" {
			http.Error(w, `{"error":{"code":401,"message":"invalid authentication credentials","status":"UNAUTHENTICATED"}}`, http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		asked[r.URL.String()] = string(body)
		w.Header().Set("Content-Type", "text/event-stream")
		switch {
		case r.Method == http.MethodGet:
			http.NotFound(w, r)
		case strings.Contains(r.URL.Path, "/anthropic/"):
			_, _ = io.WriteString(w, `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I am Claude."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}

event: message_stop
data: {"type":"message_stop"}

`)
		default:
			_, _ = io.WriteString(w, `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I am Gemini."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}`+"\n\n")
		}
	}))
	t.Cleanup(server.Close)
	m := withProviders(map[string]settings.Provider{
		"google": {Kind: "vertex", BaseURL: server.URL + "/v1/projects/p/locations/global"},
		"other":  {Kind: "vertex", BaseURL: server.URL + "/v1/projects/p/locations/global", KeyEnv: "OTHER"},
	}, "OTHER=another-token")
	for model, says := range map[string]string{"google/claude-sonnet-4-5@20250929": "I am Claude.", "google/gemini-2.5-pro": "I am Gemini."} {
		provider, name, err := m.Resolve(model)
		require.NoError(t, err)
		answer, err := provider.Stream(t.Context(), agent.Request{Model: name, Messages: []agent.Message{agent.Say("who are you?")}}, func(agent.Delta) {})
		require.NoError(t, err)
		require.Equal(t, says, answer.Message.Text())
	}
	const base = "/v1/projects/p/locations/global/publishers"
	claude := asked[base+"/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict"]
	require.Contains(t, claude, `"anthropic_version":"vertex-2023-10-16"`)
	require.NotContains(t, claude, `"model"`)
	require.Contains(t, asked[base+"/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse"], "who are you?")
	require.Equal(t, "[masked]", m.Hide().Text(token))
	require.Equal(t, 200_000, m.Info("google/claude-sonnet-4-5@20250929").Context)
	require.False(t, m.Info("google/claude-sonnet-4-5").Priced(), "it differs by region")

	google, _ := m.Provider("google")
	require.Equal(t, "Google's application default credentials", m.KeyFrom(google))
	l := m.List(t.Context(), []Provider{google}, time.Minute)[0]
	require.True(t, l.Reached())
	require.Contains(t, l.Says(), "it lists no models")
	require.ErrorContains(t, say(t, m, "other/gemini-2.5-pro"), "check OTHER")
}

func TestATokenThatGoogleDoesNotGiveIsOneLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "account.json")
	require.NoError(t, os.WriteFile(file, []byte("{}"), 0o600))
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", file)
	m := withProviders(map[string]settings.Provider{"google": {Kind: "vertex", BaseURL: "http://127.0.0.1:1"}})
	err := say(t, m, "google/gemini-2.5-pro")
	require.ErrorContains(t, err, "no token for google by Google's application default credentials")
	require.ErrorContains(t, err, "gcloud auth application-default login")
	require.NotContains(t, err.Error(), "\n")
}
