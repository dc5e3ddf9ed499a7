package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// longSession is the program in testdata/longsession, which writes what no model has said.
var longSession = sync.OnceValues(func() (string, error) {
	return harness.Build("longsession", "./testdata/longsession", "-race=false")
})

// writeRecords fills the database of a home with a session of so many records, and gives its id.
func writeRecords(b *testing.B, home string, records int) string {
	b.Helper()
	return writeSession(b, "", "records", databaseOf(home), fmt.Sprint(records))
}

// writeTurns fills it with a session of so many turns, each with this answer.
func writeTurns(b *testing.B, home string, turns int, answer string) {
	b.Helper()
	writeSession(b, answer, "turns", databaseOf(home), benchFolder(b), fmt.Sprint(turns))
}

// writeSessions fills it with so many sessions of one turn each.
func writeSessions(b *testing.B, home string, sessions int, answer string) {
	b.Helper()
	writeSession(b, answer, "sessions", databaseOf(home), benchFolder(b), fmt.Sprint(sessions))
}

func databaseOf(home string) string { return filepath.Join(home, "data", "pawl.db") }

func writeSession(b *testing.B, stdin string, args ...string) (id string) {
	b.Helper()
	path, err := longSession()
	require.NoError(b, err)
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	require.NoError(b, err)
	return strings.TrimSpace(string(out))
}
