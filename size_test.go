package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What slim stands in for, and what else would come back with a new import unseen: each
// is megabytes of the program, or milliseconds of every start.
func TestNothingHeavyComesBackWithALibrary(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "cloud.google.com/go/auth\n", "genai asks for it")
	for name := range strings.FieldsSeq(string(out)) {
		for _, heavy := range []string{
			"cloud.google.com/go/auth/internal", "google.golang.org/grpc", "github.com/google/s2a-go", "go.opencensus.io",
			"google.golang.org/protobuf/proto", "google.golang.org/protobuf/reflect",
			"github.com/alecthomas/chroma/v2/lexers", "github.com/aymerick/douceur", "github.com/google/go-cmp/cmp/internal",
			"html/template", "net/rpc", "golang.org/x/net/trace",
		} {
			require.False(t, name == heavy || strings.HasPrefix(name, heavy+"/"), "%s: go mod why %[1]s says who wants it", name)
		}
	}
}
