package stories

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestAScreenThatIsOneConnectionTooManySaysSo(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds.") })
	x := s.Open(t)
	x.Prompt("what is it?")
	x.See("It adds.")
	x.Rest()
	sockets, err := filepath.Glob(filepath.Join(s.Home, "state", "run", "*.sock"))
	require.NoError(t, err)
	require.Len(t, sockets, 1)
	folder, err := os.Open(filepath.Dir(sockets[0]))
	require.NoError(t, err)
	defer folder.Close()
	var all []net.Conn
	for range 128 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(sockets[0])))
		require.NoError(t, err)
		defer conn.Close()
		all = append(all, conn)
	}
	_, err = all[127].Write([]byte("{\"type\":\"status\"}\n"))
	require.NoError(t, err)
	line, err := bufio.NewReader(all[127]).ReadString('\n') // the others were taken before
	require.NoError(t, err)
	require.Contains(t, line, `"state":"idle"`)
	full := len(descriptorsOf(t, x.Pawl()))

	id := strings.TrimSuffix(filepath.Base(sockets[0]), ".sock")
	for _, args := range [][]string{{"attach", id}, {"--session", id}, {"attach"}} {
		more := harness.Start(t, s.Dir, s.Env, args...)
		require.Equal(t, 1, more.Wait())
		harness.RequireOneLine(t, more.Raw())
		require.Contains(t, more.Raw(), "pawl: this session has 128 connections already: close one of them first")
	}
	require.NoError(t, all[0].Close())
	require.Eventually(t, func() bool { return len(descriptorsOf(t, x.Pawl())) < full }, modeltest.Patience, 10*time.Millisecond, "its host lets go of it")
	more := harness.Start(t, s.Dir, s.Env, "attach", id)
	more.See("It adds.")
	require.Equal(t, 0, more.Quit())
	require.Equal(t, 0, x.Quit())
}
