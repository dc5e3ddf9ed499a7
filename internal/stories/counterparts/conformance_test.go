//go:build unix

package counterparts

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/logintest"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// notSupported are the scenarios of clients that Pawl does not pass, and why. One that passes must go.
var notSupported = map[string]string{
	"auth/metadata-var2":            "its authorization server names another issuer than the one that was asked for, which RFC 8414 has a client refuse",
	"auth/metadata-var3":            "its authorization server names another issuer than the one that was asked for, which RFC 8414 has a client refuse",
	"auth/client-credentials-jwt":   "a person logs in: Pawl has no login of a program for itself",
	"auth/client-credentials-basic": "a person logs in: Pawl has no login of a program for itself",
}

// suite is the conformance suite of the Model Context Protocol, which plays a server for each scenario
// and judges what its client did.
type suite struct {
	program string
	servers chan server // one for each scenario under way
	url     string      // where its client reports them
}

// server is one that the suite has started, and what a client is to know of it.
type server struct {
	URL          string
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	played       chan struct{}
}

// check is one of its verdicts.
type check struct {
	ID, Status, Description, ErrorMessage string
}

func newSuite(t *testing.T) *suite {
	t.Helper()
	s := &suite{program: filepath.Join(node(t), "node_modules/@modelcontextprotocol/conformance/dist/index.js"), servers: make(chan server)}
	reports := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		one := server{played: make(chan struct{})}
		if json.NewDecoder(r.Body).Decode(&one) != nil {
			return
		}
		select {
		case s.servers <- one:
			<-one.played
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(reports.Close)
	s.url = reports.URL
	return s
}

// scenarios are those for clients.
func (s *suite) scenarios(t *testing.T) (names []string) {
	t.Helper()
	_, list, found := strings.Cut(string(run(t, "", "", "node", s.program, "list")), "Client scenarios")
	require.True(t, found)
	for line := range strings.Lines(list) {
		if name, ok := strings.CutPrefix(line, "  - "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// judge has a scenario played, and gives the checks that it made.
func (s *suite) judge(t *testing.T, scenario string, play func(server)) (checks []check) {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "node", s.program, "client", "--scenario", scenario, "--timeout", "120000", "--output-dir", folder,
		"--command", fmt.Sprintf("node %s %s", filepath.Join(node(t), "conformance.mjs"), s.url))
	ended := make(chan string, 1)
	go func() {
		said, _ := cmd.CombinedOutput() // it fails where a check does
		ended <- string(said)
	}()
	select {
	case one := <-s.servers:
		play(one)
		close(one.played)
	case said := <-ended:
		require.FailNow(t, "the suite has started no client", said)
	}
	said := <-ended
	var files []string // below folders that it names after the scenario and the time
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "checks.json" {
			files = append(files, path)
		}
		return err
	}))
	require.Len(t, files, 1, said)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &checks))
	return checks
}

// TestTheConformanceSuiteOfMCPJudgesPawl: each scenario for clients, played by the program.
func TestTheConformanceSuiteOfMCPJudgesPawl(t *testing.T) {
	s := newSuite(t)
	passed := 0
	for _, scenario := range s.scenarios(t) {
		t.Run(scenario, func(t *testing.T) {
			var faults []string
			good := 0
			for _, one := range s.judge(t, scenario, func(at server) { playServer(t, scenario, at) }) {
				switch one.Status {
				case "SUCCESS":
					good++
				case "WARNING":
					t.Log(one.ID, one.Description, one.ErrorMessage)
				case "FAILURE":
					faults = append(faults, one.ID+": "+one.Description+": "+one.ErrorMessage)
				}
			}
			if why, known := notSupported[scenario]; known {
				require.NotEmpty(t, faults, "it passes: strike it off the list")
				t.Logf("expected: %s", why)
				return
			}
			require.Empty(t, faults)
			require.Positive(t, good)
			passed += good
		})
	}
	soaktest.Counterpart(t, "@modelcontextprotocol/conformance", versionOf(t, "@modelcontextprotocol/conformance"), passed)
}

// playServer has Pawl log in to the server where the scenario is about that, and use each of its tools.
func playServer(t *testing.T, scenario string, at server) {
	t.Helper()
	s := harness.NewStage(t, modeltest.Anthropic(), usesEachTool)
	settings := "[mcp.conf]\nurl = \"" + at.URL + "\"\n"
	if at.ClientID != "" {
		settings += fmt.Sprintf("client_id = %q\nclient_secret = %q\n", at.ClientID, at.ClientSecret)
	}
	s.Configured(t, settings)
	times := 1
	if strings.HasPrefix(scenario, "auth/scope-") {
		times = 2 // as one is told to where the first login lacks a right
	}
	for range times {
		if strings.HasPrefix(scenario, "auth/") {
			logIn(t, s)
		}
		useServer(t, s, strings.HasPrefix(scenario, "elicitation"))
	}
}

// useServer has a model use each tool of the server, and a person say yes where the server asks.
func useServer(t *testing.T, s *harness.Stage, asks bool) {
	t.Helper()
	x := s.Open(t, s.Flags("--permission-mode", "bypass")...)
	x.Prompt("use everything")
	if asks {
		x.See("A yes sends ")
		x.Answer("y")
	}
	x.See("All used.")
	require.Zero(t, x.Quit())
}

// usesEachTool is the script of a model that calls each tool of the server, one after another.
func usesEachTool(h modeltest.Request) modeltest.Reply {
	for _, tool := range h.Tools {
		if strings.HasPrefix(tool, "mcp__conf__") && !h.Answered(tool) {
			return modeltest.Do(modeltest.Use(tool, modeltest.Object{"a": 2, "b": 3}))
		}
	}
	return modeltest.Say("All used.")
}

// logIn logs in to the server, with a browser that goes wherever it is sent.
func logIn(t *testing.T, s *harness.Stage) {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), modeltest.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "mcp", "login", "conf", "--no-browser")
	cmd.Dir, cmd.Env = s.Dir, s.Env
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	said := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "http") {
			page, err := logintest.Browse(lines.Text())
			said += fmt.Sprintln(page, err)
		}
	}
	t.Log(cmd.Wait(), said)
}
