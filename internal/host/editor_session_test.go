package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/redact"
)

func TestEveryToolOfPawlsHasAKindForEditors(t *testing.T) {
	kinds := toolKinds()
	for _, name := range redact.OwnTools() {
		require.Contains(t, kinds, name)
		delete(kinds, name)
	}
	require.Empty(t, kinds)
}

func TestOnlyPicturesThatModelsTakeAreKept(t *testing.T) {
	path, forget, err := keepPicture("image/png", []byte("bytes"))
	require.NoError(t, err)
	require.FileExists(t, path)
	forget()
	require.NoFileExists(t, path)
	_, _, err = keepPicture("image/svg+xml", nil)
	require.ErrorContains(t, err, "image/svg+xml")
}
