package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
	"pawl/tools/process"
)

// references are the servers of the protocol's makers, in the versions of the counterparts' lock.
var references = []string{"everything", "filesystem", "memory"}

// installed installs the servers from the registry of npm, and returns the program of each, and their version.
func installed(t *testing.T) (programs map[string]string, version string) {
	t.Helper()
	if !soaktest.Wanted() {
		t.Skip("the reference servers are played by make soak")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("the reference servers are not played: there is no npm here")
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "internal", "stories", "counterparts", "node"))))
	done, err := launched().Run(t.Context(), process.Command{Name: "npm", Args: []string{"ci", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--cache", filepath.Join(folder, "cache")}, Folder: folder, Limit: 5 * time.Minute})
	require.NoError(t, err)
	require.Zero(t, done.ExitCode, "%s%s", done.Output.Head, done.Output.Tail)
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	require.NoError(t, err)
	var asked struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(text, &asked))
	programs = map[string]string{}
	for _, name := range references {
		programs[name] = filepath.Join(folder, "node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js")
	}
	return programs, asked.Dependencies["@modelcontextprotocol/server-everything"]
}

func TestTheReferenceServersArePlayedInFull(t *testing.T) {
	programs, version := installed(t)
	s := New(Options{Folder: t.TempDir(), Launcher: launched(), StartLimit: patience})
	t.Cleanup(s.Close)
	s.wait = patience
	memory := filepath.Join(s.options.Folder, "memory.json")
	s.Start(
		Spec{Name: "every", From: "config.toml", Command: []string{"node", programs["everything"], "stdio"}},
		Spec{Name: "far", From: "config.toml", URL: everythingOverHTTP(t, programs["everything"])},
		Spec{Name: "files", From: "config.toml", Command: []string{"node", programs["filesystem"], s.options.Folder}},
		Spec{Name: "mem", From: "config.toml", Command: []string{"node", programs["memory"]}, Env: map[string]string{"MEMORY_FILE_PATH": memory}},
	)
	s.Tools(t.Context())
	for _, status := range s.Status() {
		require.Equal(t, Ready, status.State, "%+v", status)
	}
	for _, server := range []string{"every", "far"} {
		t.Run(server, func(t *testing.T) { playEverything(t, s, server) })
	}
	t.Run("files", func(t *testing.T) { playFiles(t, s) })
	t.Run("mem", func(t *testing.T) { playMemory(t, s, memory) })
	calls := 0
	for _, row := range s.Status() {
		calls += row.Tools
	}
	soaktest.Counterpart(t, "@modelcontextprotocol/servers", version, calls)
}

// everythingOverHTTP starts the server that has everything at an address of this machine.
func everythingOverHTTP(t *testing.T, program string) string {
	t.Helper()
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := free.Addr().String()
	require.NoError(t, free.Close())
	_, port, err := net.SplitHostPort(at)
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		_, _ = launched().Run(ctx, process.Command{Name: "node", Args: []string{program, "streamableHttp"}, Folder: t.TempDir(), Environ: []string{"PORT=" + port}})
	})
	t.Cleanup(func() {
		end()
		running.Wait()
	})
	require.Eventually(t, func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+"/", nil)
		require.NoError(t, err)
		r.Close = true
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	}, patience, 100*time.Millisecond)
	return "http://" + at + "/mcp"
}

// saying answers the questions of a server with yes, and notes what it reports until its result is
// there; a server may report later.
func saying(t *testing.T, s *Servers, name, input string) (result agent.Result, reports []string) {
	t.Helper()
	var mu sync.Mutex
	var heard []string
	result = find(t, s, name).Run(t.Context(), agent.Invocation{
		Call: lifecycle.NewCallID(), Input: json.RawMessage(input),
		Progress: func(activity string) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, activity)
		},
		Ask: func(context.Context, lifecycle.Question) (lifecycle.Answer, error) {
			return lifecycle.Answer{Allow: true, By: "person"}, nil
		},
	})
	mu.Lock()
	defer mu.Unlock()
	return result, slices.Clone(heard)
}

func playEverything(t *testing.T, s *Servers, server string) {
	tool := func(name string) string { return "mcp__" + server + "__" + name }
	result, _ := saying(t, s, tool("echo"), `{"message":"hello"}`)
	require.Equal(t, "Echo: hello", result.Text)
	result, _ = saying(t, s, tool("get-sum"), `{"a":2,"b":3}`)
	require.Contains(t, result.Text, "5")
	result, _ = saying(t, s, tool("get-sum"), `{"a":"two"}`)
	require.True(t, result.IsError, result.Text)
	result, _ = saying(t, s, tool("get-tiny-image"), `{}`)
	require.Len(t, result.Images, 1)
	result, _ = saying(t, s, tool("get-structured-content"), `{"location":"Chicago"}`)
	require.False(t, result.IsError, result.Text)
	result, reports := saying(t, s, tool("trigger-long-running-operation"), `{"duration":2,"steps":4}`)
	require.False(t, result.IsError, result.Text)
	require.NotEmpty(t, reports)
	result, reports = saying(t, s, tool("trigger-elicitation-request"), `{}`)
	require.Contains(t, result.Text, "declined", "its form needs a name, which a yes does not give")
	require.Contains(t, strings.Join(reports, "\n"), "name has to be filled in")

	var names []string
	for _, p := range s.Prompts() {
		if p.Server == server {
			names = append(names, p.Name)
		}
	}
	require.Contains(t, names, "simple-prompt")
	said, err := s.Prompt(t.Context(), server, "args-prompt", map[string]string{"city": "Rome"})
	require.NoError(t, err)
	require.Equal(t, "What's weather in Rome?", said.Text)
	_, err = s.Prompt(t.Context(), server, "args-prompt", nil)
	require.ErrorContains(t, err, "city")
	said, err = s.Prompt(t.Context(), server, "resource-prompt", map[string]string{"resourceType": "Text", "resourceId": "1"})
	require.NoError(t, err)
	require.Contains(t, said.Text, "1")

	resources := s.Resources(1000)
	read := 0
	for _, r := range resources {
		if r.Server != server {
			continue
		}
		got, note, err := s.Read(t.Context(), server, r.URI)
		require.NoError(t, err, r.URI)
		require.NotEmpty(t, note)
		require.NotEmpty(t, got.Text+fmt.Sprint(len(got.Images)))
		read++
	}
	require.Positive(t, read)
	got, _, err := s.Read(t.Context(), server, "demo://resource/dynamic/text/1")
	require.NoError(t, err, "of a template")
	require.NotEmpty(t, got.Text)
	_, _, err = s.Read(t.Context(), server, "demo://nothing/there")
	require.Error(t, err)
}

func playFiles(t *testing.T, s *Servers) {
	path := filepath.Join(s.options.Folder, "note.txt")
	input, err := json.Marshal(map[string]string{"path": path, "content": "a note\n"})
	require.NoError(t, err)
	result, _ := saying(t, s, "mcp__files__write_file", string(input))
	require.False(t, result.IsError, result.Text)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "a note\n", string(text))
	result, _ = saying(t, s, "mcp__files__read_text_file", string(input))
	require.Contains(t, result.Text, "a note")
	result, _ = saying(t, s, "mcp__files__read_text_file", `{"path":"/etc/passwd"}`)
	require.True(t, result.IsError, "the folder is its one root")
}

func playMemory(t *testing.T, s *Servers, file string) {
	result, _ := saying(t, s, "mcp__mem__create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["counts"]}]}`)
	require.False(t, result.IsError, result.Text)
	result, _ = saying(t, s, "mcp__mem__search_nodes", `{"query":"Ada"}`)
	require.Contains(t, result.Text, "counts")
	require.FileExists(t, file)
	require.True(t, slices.ContainsFunc(s.Status(), func(one Status) bool { return one.Name == "mem" && one.Resources > 0 }) || len(s.Resources(10)) > 0)
}
