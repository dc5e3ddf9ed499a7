package logintest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// mcp is the MCP server: its one tool, whoami, repeats the token that it was given, as a server
// that logs too much would.
func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	ends, known := s.access[token]
	s.mu.Unlock()
	var asked struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	unreadable := json.NewDecoder(r.Body).Decode(&asked) != nil
	facts := `resource_metadata="` + s.http.URL + `/.well-known/oauth-protected-resource/mcp"`
	switch {
	case s.Open && (asked.Method == "initialize" || strings.HasPrefix(asked.Method, "notifications/")):
	case !known || time.Now().After(ends):
		w.Header().Set("WWW-Authenticate", "Bearer "+facts)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	case s.Needs != "" && asked.Method == "tools/call" && !strings.Contains(" "+s.Scopes()+" ", " "+s.Needs+" "):
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+s.Needs+`", `+facts)
		http.Error(w, "you may not", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodPost {
		http.Error(w, "no stream", http.StatusMethodNotAllowed)
		return
	}
	if unreadable || len(asked.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	var result any
	switch asked.Method {
	case "initialize":
		result = map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "behind a login", "version": "1"}}
	case "tools/list":
		result = map[string]any{"tools": []any{map[string]any{"name": "whoami", "description": "says who you are", "inputSchema": map[string]any{"type": "object"}}}}
	default:
		result = map[string]any{"content": []any{map[string]any{"type": "text", "text": "you are in, with " + token}}}
	}
	write(w, http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": result})
}
