package bench

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What would come back with a new import unseen: each is megabytes of the program, or
// milliseconds of every start. The model makers' own libraries are in testdata/oracle alone.
func TestNothingHeavyComesBackWithALibrary(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", "grpcnotrace", "-deps", ".").Output()
	require.NoError(t, err)
	for name := range strings.FieldsSeq(string(out)) {
		for _, heavy := range []string{
			"github.com/openai/openai-go", "github.com/anthropics/anthropic-sdk-go", "google.golang.org/genai",
			"cloud.google.com/go", "go.opencensus.io",
			"github.com/alecthomas/chroma/v2/lexers", "github.com/aymerick/douceur", "github.com/google/go-cmp",
			"html/template", "net/rpc", "golang.org/x/net/trace",
		} {
			if name == "cloud.google.com/go/compute/metadata" {
				continue // a client of one address, by which the tokens of Vertex come: oauth2/google, 0.2 MB in all
			}
			require.False(t, name == heavy || strings.HasPrefix(name, heavy+"/"), "%s: go mod why %[1]s says who wants it", name)
		}
	}
}
