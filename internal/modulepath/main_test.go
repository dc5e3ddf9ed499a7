package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

const chosen = "example.org/someone/pawl"

// copied is this checkout in another folder: what git has of it, as it is now.
func copied(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	files, err := tracked("../..")
	require.NoError(t, err)
	for _, name := range files {
		info, err := os.Lstat(filepath.Join("../..", name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, info.Mode().Perm()))
	}
	goes(t, folder, "git", "init", "-q")
	return folder
}

func goes(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// All of it is loaded, tests too: an import that was forgotten is an error. With PAWL_SOAK the same for
// other systems, and the copy is built and held to the arrows between its rooms.
func TestTheModuleTakesAnotherPathInOneStep(t *testing.T) {
	folder := copied(t)
	require.Contains(t, goes(t, folder, "make", "module", "PATH="+chosen), "the module is "+chosen+" now")
	systems := []string{"linux"}
	if soaktest.Wanted() {
		systems = []string{"linux", "darwin", "windows"}
		goes(t, folder, "go", "vet", "./...")
		goes(t, folder, "go", "build", "-o", "pawl-named", ".")
		goes(t, folder, "go", "test", "-count=1", "./docs")
	}
	for _, system := range systems {
		all := goes(t, folder, "env", "GOOS="+system, "go", "list", "-test", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")
		require.Contains(t, all, chosen+"/internal/cli\n")
		require.NotRegexp(t, `(?m)^pawl/`, all)
	}
	require.Contains(t, goes(t, folder, "make", "module", "PATH=example.org/another/name"), "the module is example.org/another/name now")
	require.NotContains(t, goes(t, folder, "go", "list", "-deps", "./..."), chosen)
}

func TestGoInstallTakesTheModuleAsItIs(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	require.False(t, strings.Contains(string(text), "\nreplace") || strings.Contains(string(text), "\nexclude"),
		"go install …@latest refuses a module with either")
}

func TestAPathThatIsNoneIsRefused(t *testing.T) {
	_, err := rename("../..", "no path")
	require.ErrorContains(t, err, "must look like example.org/you/pawl")
}
