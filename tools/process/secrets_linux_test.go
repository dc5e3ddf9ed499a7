package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// readsAll reads what every process it finds was started with, and what its parents
// hold in memory as far as that is one file; then it says that it has.
const readsAll = `cat /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ /proc/$PPID/environ > seen 2>/dev/null
for i in /proc/[0-9]*; do grep -c . $i/maps $i/root/proc/$PPID/environ >> seen 2>/dev/null; done
env >> seen; mv seen done; sleep 86400`

// A key in Pawl's own environment is out of reach: in a namespace because nobody
// outside is seen, elsewhere because Landlock lets nobody look outside of its domain,
// and without that because Pawl is not to be looked into; to root it is.
func TestNoCommandReadsAKeyOfPawls(t *testing.T) {
	for _, insists := range []sandbox.Mode{sandbox.Auto, sandbox.Off} {
		for _, mode := range modesHere() {
			t.Run(string(mode)+", "+string(insists), func(t *testing.T) {
				t.Parallel()
				key := "sk-planted-" + uuid.NewString() // the Pawls of the other modes are not this one
				_, missing := launch.LandlockVersion()
				if mode != launch.Namespace && os.Getuid() == 0 && (insists == sandbox.Off || missing != nil) {
					t.Skip("without a namespace and a sandbox nothing hides from root")
				}
				if err := possible(t.Context(), mode); err != nil {
					t.Skip(err)
				}
				folder := t.TempDir()
				role(t, mode, folder, readsAll, 1, "ANTHROPIC_API_KEY="+key, roleSandbox+"="+string(insists))
				require.Eventually(t, func() bool { _, err := os.Stat(folder + "/done"); return err == nil }, 2*patience, 5*time.Millisecond)
				seen := heldAt(t, filepath.Join(folder, "done"))
				require.Contains(t, seen, "PAWL_COMMAND=", "it saw its own")
				require.NotContains(t, seen, key)
			})
		}
	}
}

func TestSecretsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"ANTHROPIC_API_KEY": true, "ANTHROPIC_AUTH_TOKEN": true, "ANTHROPIC_BASE_URL": true, "OPENAI_API_KEY": true, "GEMINI_API_KEY": true,
		"GOOGLE_API_KEY": true, "GOOGLE_APPLICATION_CREDENTIALS": true, "openai_api_key": true, "AZURE_OPENAI_API_KEY": true, "OLLAMA_API_KEY": true,
		"GITHUB_TOKEN": true, "GH_TOKEN": true, "NPM_TOKEN": true, "TOKEN": true, "CARGO_REGISTRY_TOKEN": true, "AWS_SECRET_ACCESS_KEY": true,
		"AWS_SESSION_TOKEN": true, "STRIPE_KEY": true, "STRIPE_SECRET_KEY": true, "DEPLOY_KEY": true, "PGPASSWORD": true, "MYSQL_PWD": true,
		"DB_PASSWORD": true, "DB_PASS": true, "SMTP_AUTH": true, "SESSION_SECRET": true, "GITLAB_PAT": true, "VAULT_CREDS": true,
		"OTEL_EXPORTER_OTLP_HEADERS": true, "OTEL_EXPORTER_OTLP_TRACES_HEADERS": true, "OTEL_EXPORTER_OTLP_ENDPOINT": false, "OTEL_EXPORTER_OTLP_CLIENT_KEY": true,
		// What the project's own programs and git need to work stays, although there may
		// be a password in it: an address of a database, the agent of ssh.
		"DATABASE_URL": false, "REDIS_URL": false, "SSH_AUTH_SOCK": false, "AWS_PROFILE": false, "AWS_REGION": false,
		"PATH": false, "HOME": false, "PWD": false, "OLDPWD": false, "GOPATH": false, "KEYBOARD": false, "MONKEY": false, "TOKENIZERS_PARALLELISM": false,
		"PAWL_MODEL": false, "PAWL_HOME": false, "PAWL_PERMISSION_MODE": false,
	} {
		require.Equal(t, want, secret(name), name)
	}
	clean := cleanEnviron([]string{"A=1", "B_KEY=sk-1", "PAWL_RUN=outer", "PAWL_COMMAND=m1"}, "run", "m2")
	require.Equal(t, []string{"A=1", "PAWL_RUN=run", "PAWL_COMMAND=m1:m2"}, clean)
	require.False(t, strings.Contains(strings.Join(clean, "\n"), "sk-1"))
}
