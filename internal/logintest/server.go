package logintest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"
)

// Server is both servers at one origin. Set its fields before the first request.
type Server struct {
	URL    string               // of the MCP server
	Life   time.Duration        // of an access token; 0: an hour
	Answer func(url.Values)     // changes what the browser brings back; nil: nothing
	Facts  func(map[string]any) // changes what the authorization server says of itself; nil: nothing
	Quiet  bool                 // no refresh tokens
	Open   bool                 // anybody may begin a session; what comes after that needs the login
	Needs  string               // the right that a call of its tool needs; empty: none

	http      *httptest.Server
	mu        sync.Mutex
	clients   map[string]string     // the redirect address of each
	codes     map[string]url.Values // what was asked for with each
	access    map[string]time.Time  // when each ends
	refresh   map[string]bool       // false: used, or taken back
	refreshed int
	revoked   []string
	scopes    string
	ended     bool
}

// New starts the servers, which end with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{clients: map[string]string{"known": ""}, codes: map[string]url.Values{}, access: map[string]time.Time{}, refresh: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", s.resource)
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", s.facts)
	mux.HandleFunc("POST /register", s.register)
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /token", s.token)
	mux.HandleFunc("POST /revoke", s.revoke)
	mux.HandleFunc("/mcp", s.mcp)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/mcp"
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// EndTokens ends all access tokens now, whatever was said of their life.
func (s *Server) EndTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// EndLogin ends all tokens, refresh tokens included.
func (s *Server) EndLogin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
	clear(s.refresh)
}

// Refreshed is how often a refresh token was traded for new tokens.
func (s *Server) Refreshed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshed
}

// Revoked are the tokens that were given back.
func (s *Server) Revoked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.revoked)
}

// Scopes are those that the last login has asked for.
func (s *Server) Scopes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopes
}

// Reused reports whether a refresh token came twice.
func (s *Server) Reused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *Server) resource(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, map[string]any{"resource": s.URL, "authorization_servers": []string{s.http.URL}, "scopes_supported": []string{"read"}})
}

func (s *Server) facts(w http.ResponseWriter, _ *http.Request) {
	at := s.http.URL
	facts := map[string]any{
		"issuer": at, "authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token",
		"registration_endpoint": at + "/register", "revocation_endpoint": at + "/revoke",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": true, "token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"},
	}
	if s.Facts != nil {
		s.Facts(facts)
	}
	write(w, http.StatusOK, facts)
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		RedirectURIs []string `json:"redirect_uris"`
	}
	if json.NewDecoder(r.Body).Decode(&asked) != nil || len(asked.RedirectURIs) != 1 {
		write(w, http.StatusBadRequest, map[string]any{"error": "invalid_redirect_uri"})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := "client-" + rand.Text()
	s.clients[id] = asked.RedirectURIs[0]
	write(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": asked.RedirectURIs, "token_endpoint_auth_method": "none"})
}

// authorize is the page on which a person would say yes: it says so at once.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := r.URL.Query()
	back, known := s.clients[asked.Get("client_id")]
	switch {
	case !known, back != "" && back != asked.Get("redirect_uri"):
		http.Error(w, "who are you?", http.StatusBadRequest)
		return
	case asked.Get("response_type") != "code", asked.Get("code_challenge_method") != "S256", asked.Get("resource") != s.URL, asked.Get("state") == "":
		http.Error(w, "what is this?", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	s.codes[code], s.scopes = asked, asked.Get("scope")
	answer := url.Values{"code": {code}, "state": {asked.Get("state")}, "iss": {s.http.URL}}
	if s.Answer != nil {
		s.Answer(answer)
	}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+answer.Encode(), http.StatusFound)
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	refuse := func() { write(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"}) }
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		asked, there := s.codes[r.PostForm.Get("code")]
		delete(s.codes, r.PostForm.Get("code"))
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if !there || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || asked.Get("redirect_uri") != r.PostForm.Get("redirect_uri") {
			refuse()
			return
		}
	case "refresh_token":
		if valid, known := s.refresh[r.PostForm.Get("refresh_token")]; !valid {
			if known { // it came before: somebody has stolen it
				s.ended = true
				clear(s.refresh)
				clear(s.access)
			}
			refuse()
			return
		}
		s.refresh[r.PostForm.Get("refresh_token")] = false
		s.refreshed++
	default:
		refuse()
		return
	}
	s.give(w)
}

// give answers with new tokens. The lock is held.
func (s *Server) give(w http.ResponseWriter) {
	life := s.Life
	if life == 0 {
		life = time.Hour
	}
	access, refresh := "at-"+rand.Text(), "rt-"+rand.Text()
	s.access[access] = time.Now().Add(life)
	answer := map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": int(life.Seconds()), "scope": s.scopes}
	if !s.Quiet {
		s.refresh[refresh], answer["refresh_token"] = true, refresh
	}
	write(w, http.StatusOK, answer)
}

func (s *Server) revoke(_ http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked = append(s.revoked, r.PostForm.Get("token"))
	clear(s.access)
	clear(s.refresh)
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
