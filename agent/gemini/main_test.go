package gemini

import (
	"io"
	"log"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The SDK writes to the standard log when a stream breaks; so main points it
// elsewhere, as here.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	for _, name := range []string{"GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"} {
		_ = os.Unsetenv(name)
	}
	goleak.VerifyTestMain(m)
}
