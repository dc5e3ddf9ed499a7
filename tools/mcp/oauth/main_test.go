package oauth

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"pawl/internal/keys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kept are the logins of a user without a key ring.
func kept(t *testing.T) *Logins {
	t.Helper()
	folder := t.TempDir()
	return &Logins{Folder: filepath.Join(folder, "logins"), Keys: keys.New(folder, false)}
}
