package stories

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/logintest"
	"pawl/internal/modeltest"
)

// loginCommand is pawl mcp login, while somebody is at its browser.
type loginCommand struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	address string // that it wants opened
}

func beginLogin(t *testing.T, s *harness.Stage) *loginCommand {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), modeltest.Patience)
	t.Cleanup(cancel)
	l := &loginCommand{cmd: exec.CommandContext(ctx, path, "mcp", "login", "docs", "--no-browser")}
	l.cmd.Dir, l.cmd.Env, l.cmd.Stderr = s.Dir, s.Env, os.Stderr
	l.in, err = l.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := l.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, l.cmd.Start())
	l.out = bufio.NewReader(out)
	for !strings.HasPrefix(l.address, "http://127.0.0.1:") {
		l.address, err = l.out.ReadString('\n')
		require.NoError(t, err)
	}
	l.address = strings.TrimSpace(l.address)
	return l
}

// end is what it says last.
func (l *loginCommand) end(t *testing.T) string {
	t.Helper()
	rest, err := io.ReadAll(l.out)
	require.NoError(t, err)
	require.NoError(t, l.cmd.Wait())
	return string(rest)
}

func logIn(t *testing.T, s *harness.Stage) {
	t.Helper()
	l := beginLogin(t, s)
	page, err := logintest.Browse(l.address)
	require.NoError(t, err)
	require.Contains(t, page, "go on in the terminal")
	require.Contains(t, l.end(t), "Logged in to docs; the tokens are in the file ")
}

// asksWho is the script of a parent that asks the server who it is.
func asksWho(h modeltest.Request) modeltest.Reply {
	switch said := h.ResultsOf("mcp__docs__whoami"); {
	case len(said) > 0:
		return modeltest.Say("The server says: " + said[0])
	case slices.Contains(h.Tools, "mcp__docs__whoami"):
		return modeltest.Do(modeltest.Use("mcp__docs__whoami", modeltest.Object{}))
	}
	return modeltest.Say("Nobody can be asked.")
}

func TestALoginToAnMCPServerFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	server := logintest.New(t)
	s := harness.NewStage(t, modeltest.Anthropic(), asksWho)
	_, errs, code := harness.Run(t, s.Dir, s.Env, "mcp", "add", "docs", server.URL)
	require.Zero(t, code, errs)
	out, _, code := harness.Run(t, s.Dir, s.Env, "mcp")
	require.Equal(t, 1, code)
	require.Contains(t, out, "docs: needs a login: pawl mcp login docs")
	who := func() (out, errs string) {
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--permission-mode", "bypass", "-p", "who am I?")...)
		require.Zero(t, code, errs)
		return out, errs
	}
	out, errs = who()
	require.Equal(t, "Nobody can be asked.\n", out)
	require.Contains(t, errs, "the MCP server docs: needs a login: pawl mcp login docs")

	logIn(t, s)
	out, errs = who()
	require.Equal(t, "The server says: you are in, with [masked]\n", out)
	require.Empty(t, errs)
	server.EndTokens() // as time does
	out, _ = who()
	require.Contains(t, out, "you are in")
	require.Equal(t, 1, server.Refreshed())

	server.EndLogin()
	out, errs = who()
	require.Equal(t, "Nobody can be asked.\n", out)
	require.Contains(t, errs, "log in again: pawl mcp login docs")
	l := beginLogin(t, s) // the browser is on another machine
	back, err := logintest.Sent(l.address)
	require.NoError(t, err)
	_, err = io.WriteString(l.in, back+"\n")
	require.NoError(t, err)
	require.Contains(t, l.end(t), "Logged in to docs")
	out, _ = who()
	require.Contains(t, out, "you are in")

	require.Empty(t, withTokens(t, s.Home))
	out, errs, code = harness.Run(t, s.Dir, s.Env, "mcp", "logout", "docs")
	require.Zero(t, code, errs)
	require.Equal(t, "Logged out of docs (1 login).\n", out)
	require.Len(t, server.Revoked(), 1)
	out, _ = who()
	require.Equal(t, "Nobody can be asked.\n", out)
	require.False(t, server.Reused())
}

func TestAnAddressThatWasChangedGetsNoToken(t *testing.T) {
	t.Parallel()
	server, other := logintest.New(t), logintest.New(t)
	s := harness.NewStage(t, modeltest.Anthropic(), asksWho)
	withOwnServers(t, s, "[mcp.docs]\nurl = \""+server.URL+"\"\n")
	logIn(t, s)
	withOwnServers(t, s, "[mcp.docs]\nurl = \""+other.URL+"\"\n")
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "who am I?")...)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "needs a login: pawl mcp login docs")
}

// withTokens are the files of Pawl's, but for the one with keys, in which a token of the server
// stands.
func withTokens(t *testing.T, home string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || entry.Name() == "keys.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if logintest.HasToken(text) {
			found = append(found, path)
		}
		return err
	}))
	return found
}
