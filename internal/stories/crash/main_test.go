package crash

import (
	"testing"

	_ "modernc.org/sqlite" // it looks at the database past Pawl

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, nil) }
