package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

// works is what ordinary work does in a fresh project.
var works = map[string]struct{ program, line, says string }{
	"go test": {"go", `printf 'module example.com/m\n\ngo 1.26\n' > go.mod
cat > m_test.go <<'END'
package m

import ("os"; "testing")

func TestM(t *testing.T) { if err := os.WriteFile(t.TempDir()+"/x", nil, 0o600); err != nil { t.Fatal(err) } }
END
go test -count=1 .`, "ok  \texample.com/m"},
	"npm test": {"npm", `cat > package.json <<'END'
{"name": "m", "version": "1.0.0", "scripts": {"test": "node -e \"require('fs').writeFileSync('made', 'x'); console.log('it passed')\""}}
END
npm install --offline && npm test && cat made`, "it passed"},
	"cargo build": {"cargo", `cargo init -q --vcs none --name m . && cargo build -q --offline && ./target/debug/m`, "Hello, world!"},
}

// In a home in which nothing was ever built there is no cache to write in yet.
func TestTheFirstBuildOfAHomeHasACacheToWriteIn(t *testing.T) {
	needsLandlock(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go here")
	}
	c := newCage(t)
	home := filepath.Join(filepath.Dir(c.outside), "home")
	require.NoError(t, os.Mkdir(home, 0o755))
	c.says(t, launch.Subreaper, "echo x > ~/.cache/go-build/x && echo x > ~/go/pkg/mod/x", "HOME="+home)
	require.NotZero(t, c.run(t, launch.Subreaper, "echo x > ~/.profile", "HOME="+home).ExitCode)
}

func TestOrdinaryWorkGoesOnInTheSandbox(t *testing.T) {
	needsLandlock(t)
	for name, work := range works {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(work.program); err != nil {
				t.Skipf("there is no %s here", work.program)
			}
			if exec.CommandContext(t.Context(), work.program, "version").Run() != nil &&
				exec.CommandContext(t.Context(), work.program, "--version").Run() != nil {
				t.Skipf("%s is here and does not work", work.program)
			}
			eachMode(t, func(t *testing.T, mode launch.Mode) {
				require.Contains(t, newCage(t).says(t, mode, work.line), work.says)
			})
		})
	}
}
