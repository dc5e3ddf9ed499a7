package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream/eventstreamapi"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/lifecycle"
)

const awsSecret = "secret-access-key-0123456789"

// signedFor computes Amazon's signature of a request, as its documentation says, and holds the
// request's own against it.
func signedFor(r *http.Request, body []byte, secret string) bool {
	given := r.Header.Get("Authorization")
	_, scope, _ := strings.Cut(given, "Credential=AKIDEXAMPLE/")
	scope, _, _ = strings.Cut(scope, ",")
	_, names, _ := strings.Cut(given, "SignedHeaders=")
	names, _, _ = strings.Cut(names, ",")
	_, signature, _ := strings.Cut(given, "Signature=")
	headers := ""
	for name := range strings.SplitSeq(names, ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = fmt.Sprint(r.ContentLength)
		}
		headers += name + ":" + strings.Join(strings.Fields(value), " ") + "\n"
	}
	path := strings.ReplaceAll(r.URL.EscapedPath(), "%", "%25")
	hash := func(text string) string { sum := sha256.Sum256([]byte(text)); return hex.EncodeToString(sum[:]) }
	canonical := strings.Join([]string{r.Method, path, r.URL.Query().Encode(), headers, names, hash(string(body))}, "\n")
	signing := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hash(canonical)}, "\n")
	code := []byte("AWS4" + secret)
	for _, part := range append(strings.Split(scope, "/"), signing) {
		mac := hmac.New(sha256.New, code)
		mac.Write([]byte(part))
		code = mac.Sum(nil)
	}
	return scope != "" && hmac.Equal([]byte(hex.EncodeToString(code)), []byte(signature))
}

// frame is one of Amazon's binary events around one of Anthropic's.
func frame(t *testing.T, w io.Writer, kind, name, text string) {
	t.Helper()
	m := eventstream.Message{Payload: []byte(text)}
	m.Headers.Set(eventstreamapi.MessageTypeHeader, eventstream.StringValue(kind))
	if kind == eventstreamapi.EventMessageType {
		m.Headers.Set(eventstreamapi.EventTypeHeader, eventstream.StringValue(name))
		payload, err := json.Marshal(map[string][]byte{"bytes": []byte(text)})
		require.NoError(t, err)
		m.Payload = payload
	} else {
		m.Headers.Set(eventstreamapi.ExceptionTypeHeader, eventstream.StringValue(name))
	}
	require.NoError(t, eventstream.NewEncoder().Encode(w, m))
}

// bedrockServer takes requests signed with the secret, or with the bearer key.
func bedrockServer(t *testing.T, answer func(w io.Writer)) (address string, asked map[string]string) {
	t.Helper()
	asked = map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		if r.Header.Get("Authorization") != "Bearer bedrock-key-0123456789" && !signedFor(r, body, awsSecret) {
			w.Header().Set("X-Amzn-Errortype", "InvalidSignatureException")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"message":"The request signature we calculated does not match the signature you provided."}`)
			return
		}
		asked[r.URL.String()] = string(body)
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"modelSummaries":[{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0"}]}`)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		answer(w)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

const bedrockModel = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"

func TestBedrockIsAskedForClaudeInItsWay(t *testing.T) {
	address, asked := bedrockServer(t, func(w io.Writer) {
		for _, event := range []string{
			`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I am Claude."}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`,
			`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3}}`,
		} {
			frame(t, w, eventstreamapi.EventMessageType, "chunk", event)
		}
	})
	said := map[string]settings.Provider{"bedrock": {Kind: "bedrock", BaseURL: address}}
	signing := []string{"AWS_ACCESS_KEY_ID=AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY=" + awsSecret, "AWS_SESSION_TOKEN=session-token-0123456789", "AWS_REGION=eu-central-1"}
	for name, environ := range map[string][]string{"signed": signing, "with a key": {"AWS_BEARER_TOKEN_BEDROCK=bedrock-key-0123456789"}} {
		t.Run(name, func(t *testing.T) {
			m := withProviders(said, environ...)
			provider, model, err := m.Resolve("bedrock/" + bedrockModel)
			require.NoError(t, err)
			answer, err := provider.Stream(t.Context(), agent.Request{Model: model, Messages: []agent.Message{agent.Say("who are you?")}}, func(agent.Delta) {})
			require.NoError(t, err)
			require.Equal(t, "I am Claude.", answer.Message.Text())
			require.Equal(t, lifecycle.Usage{InputTokens: 3, OutputTokens: 4}, answer.Usage)
			sent := asked["/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream"]
			require.Contains(t, sent, `"anthropic_version":"bedrock-2023-05-31"`)
			require.NotContains(t, sent, `"model"`)
			require.NotContains(t, sent, `"stream"`)
			clear(asked)
			p, _ := m.Provider("bedrock")
			l := m.List(t.Context(), []Provider{p}, time.Minute)[0]
			require.NoError(t, l.Err)
			require.Equal(t, "anthropic.claude-sonnet-4-5-20250929-v1:0", l.Offers[0].Name)
		})
	}
	signing[1] = "AWS_SECRET_ACCESS_KEY=another-secret-0123456789"
	require.ErrorContains(t, say(t, withProviders(said, signing...), "bedrock/"+bedrockModel), "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	m := withProviders(map[string]settings.Provider{"bedrock": {Kind: "bedrock", BaseURL: address, KeyCommand: []string{"printer"}}}, "AWS_REGION=eu-central-1")
	m.Run, _ = printing("an-expired-key", "bedrock-key-0123456789")
	require.NoError(t, say(t, m, "bedrock/"+bedrockModel), "AWS answers 403 for an expired key")

	m = withProviders(said)
	require.Equal(t, "AWS_BEARER_TOKEN_BEDROCK", m.Missing("bedrock/x"))
	require.Contains(t, m.Unready("bedrock/x"), "pawl login bedrock")
	require.Equal(t, 200_000, m.Info("bedrock/"+bedrockModel).Context)
	require.False(t, m.Info("bedrock/"+bedrockModel).Priced())
}

func TestWhatBedrockSaysInTheMiddleOfAnAnswerIsAnError(t *testing.T) {
	environ := []string{"AWS_BEARER_TOKEN_BEDROCK=bedrock-key-0123456789"}
	for name, row := range map[string]struct {
		answer func(w io.Writer)
		says   string
		kind   lifecycle.FailureKind
	}{
		"a limit": {func(w io.Writer) {
			frame(t, w, eventstreamapi.ExceptionMessageType, "throttlingException", `{"message":"Too many tokens, please wait."}`)
		}, "Too many tokens", lifecycle.FailRateLimited},
		"damage": {func(w io.Writer) { _, _ = io.WriteString(w, "this is no event at all, but a text") }, "", lifecycle.FailProvider},
		"a cut": {func(w io.Writer) {
			frame(t, w, eventstreamapi.EventMessageType, "chunk", `{"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"usage":{"input_tokens":3}}}`)
		}, "cut the answer off", lifecycle.FailProvider},
	} {
		address, _ := bedrockServer(t, row.answer)
		err := say(t, withProviders(map[string]settings.Provider{"bedrock": {Kind: "bedrock", BaseURL: address}}, environ...), "bedrock/"+bedrockModel)
		var failed *agent.ProviderError
		require.ErrorAs(t, err, &failed, name)
		require.Equal(t, row.kind, failed.Kind, name)
		require.Contains(t, failed.Message, row.says, name)
		require.True(t, failed.Temporary, name)
	}
}

func TestTheRegionIsThatOfTheAddressElseOfTheVariables(t *testing.T) {
	env := Lookup([]string{"AWS_DEFAULT_REGION=eu-west-1"})
	require.Equal(t, "us-east-1", regionOf("https://bedrock-runtime.us-east-1.amazonaws.com", env))
	require.Equal(t, "eu-west-1", regionOf("http://127.0.0.1:1", env))
	require.Empty(t, regionOf("http://127.0.0.1:1", Lookup(nil)))
}
