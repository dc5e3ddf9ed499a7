package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheMostAlikeComeFirst(t *testing.T) {
	names := []string{"server.go", "server_test.go", "observer.go", "README.md", "Server.go"}
	require.Equal(t, []string{"Server.go", "server.go", "observer.go"}, MostAlike("server.go", names, 3))
	require.Equal(t, []string{"README.md"}, MostAlike("readme.txt", names, 1))
	require.Empty(t, MostAlike("zzz", names, 3))
	require.InDelta(t, 1, LikenessTo("a").Of("A"), 0)
	require.Zero(t, LikenessTo("abc").Of("xyz"))
}
