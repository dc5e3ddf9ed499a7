package oauth

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestATokenIsHiddenWhereverItIsCut(t *testing.T) {
	b := &Bearer{}
	b.note(tokens{Access: "at-abcabd", Refresh: "rt-zz"})
	const said = `{"text":"at-abcat-abcabd and rt-zz, rt-z"} at-abca`
	for name, reader := range map[string]io.Reader{
		"whole": strings.NewReader(said), "byte by byte": iotest.OneByteReader(strings.NewReader(said)), "with its end": iotest.DataErrReader(strings.NewReader(said)),
	} {
		text, err := io.ReadAll(b.Hiding(io.NopCloser(reader)))
		require.NoError(t, err, name)
		require.Equal(t, `{"text":"at-abc[masked] and [masked], rt-z"} at-abca`, string(text), name)
	}
}
