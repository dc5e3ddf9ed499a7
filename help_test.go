package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelpListsEveryFlag(t *testing.T) {
	var out, errs bytes.Buffer
	code := execute(t.Context(), []string{"--help"}, world{out: &out, err: &errs})
	require.Zero(t, code)
	require.Empty(t, errs.String())
	for _, flag := range []string{
		"-p, --print", "--output-format", "--continue", "--session", "--agents", "--drain-timeout", "--model", "--permission-mode",
	} {
		require.Contains(t, out.String(), flag)
	}
	for _, command := range []string{"sessions", "show", "export", "rm", "demo", "version"} {
		require.Contains(t, out.String(), "\n  "+command)
	}
}

func TestHelpOfACommandListsItsOwnFlagsAlone(t *testing.T) {
	var out bytes.Buffer
	code := execute(t.Context(), []string{"export", "--help"}, world{out: &out, err: &out})
	require.Zero(t, code)
	require.Contains(t, out.String(), "--force")
	require.NotContains(t, out.String(), "--drain-timeout")
}
