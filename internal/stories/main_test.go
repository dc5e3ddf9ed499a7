package stories

import (
	"testing"

	_ "modernc.org/sqlite" // some stories look into the database, past Pawl

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, nil) }
