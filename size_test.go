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
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", "grpcnotrace", "-deps", ".").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "cloud.google.com/go/auth\n", "genai asks for it")
	for name := range strings.FieldsSeq(string(out)) {
		for _, heavy := range []string{
			"cloud.google.com/go/auth/internal", "github.com/google/s2a-go", "go.opencensus.io",
			"github.com/alecthomas/chroma/v2/lexers", "github.com/aymerick/douceur", "github.com/google/go-cmp/cmp/internal",
			"html/template", "net/rpc", "golang.org/x/net/trace",
		} {
			require.False(t, name == heavy || strings.HasPrefix(name, heavy+"/"), "%s: go mod why %[1]s says who wants it", name)
		}
		require.NotEqual(t, "github.com/openai/openai-go/v3", name, "its responses alone are used")
	}
}
