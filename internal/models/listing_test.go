package models

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/modeltest"
)

func modelsOf(environ ...string) *Set { return New(environ, nil, 0) }

// lister serves one answer to whoever asks for models, and gives its address.
func lister(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestEachServerIsAskedByItselfAndNoneHoldsUpAnother(t *testing.T) {
	t.Parallel()
	var others sync.WaitGroup
	others.Add(2)
	beside := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			defer others.Done()
			answer(w, r)
		}
	}
	var hangUp sync.Once
	silent := lister(t, func(_ http.ResponseWriter, r *http.Request) { // it hangs up once the others have answered, and then says nothing
		others.Wait()
		hangUp.Do(func() { panic(http.ErrAbortHandler) })
		<-r.Context().Done()
	})
	good := lister(t, beside(answering(200, `{"models":[{"name":"qwen3:8b"},{"name":"embedder:1"}]}`)))
	refusing := lister(t, beside(answering(401, `{"error":{"type":"authentication_error","message":"invalid x-api-key"}}`)))
	m := modelsOf("ANTHROPIC_API_KEY=sk-secret-1", "ANTHROPIC_BASE_URL="+refusing, "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+silent, "OLLAMA_HOST="+good)
	asked := m.List(t.Context(), m.Servers("ollama/qwen3:8b"), modeltest.Patience)
	require.Len(t, asked, 3)
	require.ErrorContains(t, asked[1].Err, "no connection to the server", "the others were asked meanwhile")
	asked[1] = m.List(t.Context(), []Provider{asked[1].Provider}, 50*time.Millisecond)[0] // it alone has so little time
	found := NewCatalog(m, asked, "ollama/qwen3:8b", "", false)
	require.Equal(t, []Unasked{
		{"anthropic", "the key was refused: Anthropic: invalid x-api-key (HTTP 401)", "set ANTHROPIC_API_KEY to a valid key, or unset it and run pawl login anthropic"},
		{"openai-chat", "no answer within 50ms", "check the network and OPENAI_BASE_URL"},
	}, found.Failed)
	require.Equal(t, []string{"GEMINI_API_KEY"}, found.Unset)
	require.Equal(t, []Row{
		{Model: "ollama/qwen3:8b", Provider: "ollama", Free: true, InUse: true}, {Model: "demo", Provider: "demo", Free: true, Efforts: []string{}},
	}, found.Models)
	require.Equal(t, 1, found.Hidden)
	require.Len(t, NewCatalog(m, asked, "", "", true).Models, 3)
	require.Len(t, NewCatalog(m, asked, "", "QWEN", false).Models, 1)
}

func TestAServerThatListsNothingIsReachedAllTheSame(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		answer                    http.HandlerFunc
		reached, refused, problem bool
		says, do                  string
	}{
		"a list":        {answering(200, `{"data":[{"id":"a"}]}`), true, false, false, "", ""},
		"no such page":  {answering(404, "404 page not found"), true, false, true, "it lists no models (HTTP 404)", "--model openai-chat/NAME"},
		"overloaded":    {answering(503, `{"error":{"message":"come back later"}}`), true, false, true, "come back later (HTTP 503)", "--model openai-chat/NAME"},
		"a wrong key":   {answering(403, `{"error":{"message":"no"}}`), true, true, true, ": no (HTTP 403)", "OPENAI_API_KEY"},
		"garbage":       {answering(200, "<html>"), false, false, true, "makes no sense", "OPENAI_BASE_URL"},
		"a broken line": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, false, true, "no connection to the server", "OPENAI_BASE_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelsOf("OPENAI_API_KEY=k", "OPENAI_BASE_URL="+lister(t, row.answer)+"/v1")
			asked := m.List(t.Context(), m.Servers(""), time.Minute)
			require.Len(t, asked, 1, "openai and openai-chat are one server")
			l := asked[0]
			require.Equal(t, row.problem, l.Err != nil)
			require.Equal(t, row.reached, l.Reached())
			require.Equal(t, row.refused, l.Refused())
			if row.problem {
				require.Contains(t, l.Says(), row.says)
				require.Contains(t, l.Do(), row.do)
				require.NotContains(t, l.Says()+l.Do(), "\n")
			}
		})
	}
}

func TestOneServerIsAskedOnceInTheWayThatIsInUse(t *testing.T) {
	names := func(inUse string, environ ...string) (list []string) {
		for _, maker := range modelsOf(environ...).Servers(inUse) {
			list = append(list, maker.Name)
		}
		return list
	}
	require.Empty(t, names("demo"))
	require.Equal(t, []string{"openai"}, names("", "OPENAI_API_KEY=k"))
	require.Equal(t, []string{"openai-chat"}, names("openai-chat/x", "OPENAI_API_KEY=k"))
	require.Equal(t, []string{"anthropic", "openai-chat"}, names("anthropic/x", "OPENAI_API_KEY=k", "OPENAI_BASE_URL=u", "ANTHROPIC_API_KEY=k"))
	require.Equal(t, []string{"openai"}, names("openai/x", "OPENAI_API_KEY=k", "OPENAI_BASE_URL=u"))
}

func TestAModelIsListedUnderItsNameOrAsWhatThatStandsFor(t *testing.T) {
	l := Listing{Offers: []agent.ModelListing{{Name: "claude-haiku-4-5-20251001"}, {Name: "qwen3:latest"}, {Name: "gemma3:4b"}, {Name: "gpt-5.5"}}}
	for name, want := range map[string]bool{
		"claude-haiku-4-5": true, "qwen3": true, "gpt-5.5": true, "gemma3:4b": true,
		"gemma3": false, "gpt-5": false, "gpt-5.5-pro": false, "x": false,
	} {
		require.Equal(t, want, l.Has(name), name)
	}
}
