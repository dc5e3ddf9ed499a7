package stories

import (
	"os"
	"testing"

	_ "modernc.org/sqlite" // some stories look into the database, past Pawl

	"pawl/internal/harness"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == intruding {
		intrude(os.Args[2:])
		return
	}
	harness.Main(m, nil)
}
