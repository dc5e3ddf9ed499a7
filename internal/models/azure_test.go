package models

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
)

// Azure's servers want the key in a header of their own, and the older ones a version in the
// address, behind the name of a deployment.
func TestAzuresServersAreAskedInTheirWay(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("api-key") != "azure-key-0123456789" || r.Header.Get("Authorization") != "" {
			http.Error(w, `{"error":{"code":"401","message":"Access denied due to invalid subscription key."}}`, http.StatusUnauthorized)
			return
		}
		asked = append(asked, r.URL.String())
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	m := withProviders(map[string]settings.Provider{
		"azure":     {Kind: "chat", BaseURL: server.URL + "/openai/v1", KeyEnv: "AZURE", KeyHeader: "api-key"},
		"azure-old": {Kind: "chat", BaseURL: server.URL + "/openai/deployments/mine?api-version=2024-10-21", Headers: map[string]string{"api-key": "${AZURE}"}},
		"azure-bad": {Kind: "chat", BaseURL: server.URL + "/openai/v1", KeyEnv: "AZURE"},
	}, "AZURE=azure-key-0123456789")
	require.NoError(t, say(t, m, "azure/mine"))
	require.NoError(t, say(t, m, "azure-old/mine"))
	require.ErrorContains(t, say(t, m, "azure-bad/mine"), "Access denied due to invalid subscription key.; check AZURE")
	require.Equal(t, []string{"/openai/v1/chat/completions", "/openai/deployments/mine/chat/completions?api-version=2024-10-21"}, asked)
}
