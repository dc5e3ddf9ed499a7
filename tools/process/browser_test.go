package process

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestABrowserGetsAnAddressOfTheWebAndNoSecrets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the browser of this system is not a program in the path")
	}
	folder := t.TempDir()
	told := filepath.Join(folder, "told")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "xdg-open"), []byte("#!/bin/sh\n{ echo \"$1\"; env; } > "+told+".tmp\nmv "+told+".tmp "+told+"\n"), 0o700))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("ANTHROPIC_API_KEY", "sk-secret")
	require.EqualError(t, Browse("https://example.com/?a=b&c", t.TempDir()), "no desktop")
	t.Setenv("DISPLAY", ":0")
	require.Error(t, Browse("file:///etc/passwd", t.TempDir()))
	require.Error(t, Browse("--help", t.TempDir()))
	require.NoError(t, Browse("https://example.com/?a=b&c", t.TempDir()))
	require.Eventually(t, func() bool { _, err := os.Stat(told); return err == nil }, patience, 10*time.Millisecond)
	text, err := os.ReadFile(told)
	require.NoError(t, err)
	require.Contains(t, string(text), "https://example.com/?a=b&c\n")
	require.NotContains(t, string(text), "sk-secret")
	t.Setenv("PATH", folder)
	require.EqualError(t, Browse("https://example.com/", folder), "no xdg-open", "a model may have put it there")
}
