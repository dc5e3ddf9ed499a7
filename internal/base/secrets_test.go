package base

import (
	"errors"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// One is known by its variable's name alone, the other by its shape too.
const (
	envSecret = "Tr0ub4dor-and-3"
	apiKey    = "sk-loopback-0123456789"
)

// requireNone fails where a text holds one of the secrets.
func requireNone(t *testing.T, secrets []string, text string) {
	t.Helper()
	for _, secret := range secrets {
		require.NotContains(t, text, secret)
	}
}

func TestABugIsWrittenDownWithoutSecrets(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PAWL_HOME", home)
	t.Setenv("GITHUB_TOKEN", envSecret)
	require.NoError(t, os.Mkdir(filepath.Join(home, "state"), 0o700))
	said := ReportBug("token " + envSecret + " and " + apiKey)
	trace, err := os.ReadFile(filepath.Join(home, "state", "crash.log"))
	require.NoError(t, err)
	requireNone(t, []string{envSecret, apiKey}, string(trace)+said.Error())
	require.Contains(t, string(trace), "token [masked] and [masked]")
	require.Contains(t, string(trace), "TestABugIsWrittenDownWithoutSecrets", "the stack is there")
}

func TestTheLogTellsNoSecretAndHoldsNoSequence(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PAWL_HOME", home)
	b, err := New(World{Environ: []string{"GITHUB_TOKEN=" + envSecret, "OPENAI_API_KEY=" + apiKey}})
	require.NoError(t, err)
	slog.Error("a call failed "+envSecret, "error", errors.New("the key "+apiKey+" is bad\x1b]0;x\a"), "header", http.Header{"Authorization": {"Bearer opaque-token-1"}})
	log.Print("of a library: " + envSecret + " \x1b[2J\u009b")
	b.Close()
	text, err := os.ReadFile(filepath.Join(home, "state", "pawl.log"))
	require.NoError(t, err)
	requireNone(t, []string{envSecret, apiKey, "opaque-token-1", "\x1b", "\u009b"}, string(text))
	require.Equal(t, 2, strings.Count(string(text), "\n"))
	require.Contains(t, string(text), "of a library: [masked]")
}

func TestSecretsOfAnEnvironmentAreKnownByTheirNames(t *testing.T) {
	require.Equal(t, []string{"x", "abc123def4", "p4ss-word", "m1-sql", "v4ult", "authorization=Basic%20c3Bhbg0,team=web", "Basic c3Bhbg0", "c3Bhbg0"}, Secrets([]string{
		"OPENAI_API_KEY=x", "GITHUB_TOKEN=abc123def4", "DB_PASSWORD=p4ss-word", "PATH=/bin", "SSH_KEY=/home/ada/.ssh/id", "MAX_TOKENS=4096",
		"API_TOKEN=none", "DEPLOY_KEY=12345678", "KEY=v4lue", "HOME=/home/ada", "nonsense", "MYSQL_PWD=m1-sql", "VAULT_CREDS=v4ult", "PWD=/x", "OLDPWD=y1",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS=authorization=Basic%20c3Bhbg0,team=web",
	}))
}
