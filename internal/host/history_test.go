package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/store"
)

func TestTheHistoryGivesTheNewestPromptsBackAndStaysShort(t *testing.T) {
	history := prompts{path: t.TempDir()}
	require.Empty(t, history.all())
	for i := range 2*keptPrompts + 10 {
		history.add(fmt.Sprintf("prompt %d\nof two lines", i))
	}
	history.add(strings.Repeat("x", longestPrompt))
	history.add("the last")
	found := history.all()
	require.Len(t, found, keptPrompts)
	require.Equal(t, "the last", found[keptPrompts-1])
	require.Equal(t, fmt.Sprintf("prompt %d\nof two lines", 2*keptPrompts+9), found[keptPrompts-2])

	text, err := os.ReadFile(history.file())
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), keptPrompts, "the file is as short")
	require.Subset(t, found, history.all())
	info, err := os.Stat(history.file())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestTheHistoryKeepsALongPromptAndStaysSmall(t *testing.T) {
	history := prompts{path: t.TempDir()}
	log := strings.Repeat("a line of a log of fifty characters, or about them\n", 10_000)
	for range 20 {
		history.add(log)
	}
	history.add("the last")
	found := history.all()
	require.Len(t, found, 5, "as many as fit")
	require.True(t, found[0] == log && found[4] == "the last")
	info, err := os.Stat(history.file())
	require.NoError(t, err)
	require.LessOrEqual(t, info.Size(), int64(keptBytes))
}

func TestALineOfTheHistoryThatIsNoneIsPassedOver(t *testing.T) {
	history := prompts{path: t.TempDir()}
	history.add("before")
	file, err := os.OpenFile(history.file(), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(strings.Repeat("damage", 1<<20) + "\n\n{}\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	history.add("after")
	require.Equal(t, []string{"before", "after"}, history.all())
}

func TestALogThatHasGrownIsKeptOnceAndBegunAnew(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PAWL_HOME", home)
	log := filepath.Join(home, "state", "pawl.log")
	require.NoError(t, os.MkdirAll(filepath.Dir(log), 0o700))
	require.NoError(t, os.WriteFile(log, make([]byte, system.LongestLog+1), 0o600))
	b, err := base.Open(t.Context(), base.World{Folder: home}, store.Options{})
	require.NoError(t, err)
	b.Close()
	now, err := os.Stat(log)
	require.NoError(t, err)
	require.Zero(t, now.Size())
	require.Equal(t, os.FileMode(0o600), now.Mode())
	old, err := os.Stat(log + ".old")
	require.NoError(t, err)
	require.EqualValues(t, system.LongestLog+1, old.Size())
}
