package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/system"
)

func TestServingAnEditorFromATerminalSaysWhatToDo(t *testing.T) {
	master, slave, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	defer slave.Close()
	var out, errs bytes.Buffer
	require.Equal(t, system.ExitUsage, Execute(t.Context(), []string{"acp"}, base.World{In: slave, Out: &out, Err: &errs}))
	require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
	require.Contains(t, errs.String(), "pawl help editors")
	require.Empty(t, out.String())
}

// An editor would learn of it only with its first session, and say it who knows where.
func TestServingAnEditorWithAFlagThatMeansNothingEndsAtOnce(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	for flag, says := range map[string]string{
		"--permission-mode=x": `permission mode "x": must be one of default`, "--model=nobody/x": `nobody`,
	} {
		var out, errs bytes.Buffer
		require.Equal(t, system.ExitUsage, Execute(t.Context(), []string{"acp", flag}, base.World{In: strings.NewReader(""), Out: &out, Err: &errs}))
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
		require.Contains(t, errs.String(), says)
		require.Empty(t, out.String())
	}
}
