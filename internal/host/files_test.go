package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADroppedPictureIsFoundHoweverItIsWritten(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	inside, outside := filepath.Join(folder, "a shot.png"), filepath.Join(elsewhere, "it's (1).png")
	for _, path := range []string{inside, outside} {
		require.NoError(t, os.WriteFile(path, []byte("png"), 0o600))
	}
	for pasted, want := range map[string]string{
		inside:                                "a shot.png",
		"'" + inside + "' ":                   "a shot.png",
		`"` + inside + `"`:                    "a shot.png",
		folder + `/a\ shot.png`:               "a shot.png",
		"file://" + folder + "/a%20shot.png":  "a shot.png",
		outside:                               outside,
		"'" + elsewhere + `/it'\''s (1).png'`: outside,
		elsewhere + `/it\'s\ \(1\).png`:       outside,
		folder + "/gone.png":                  "",
		"a shot.png":                          "",
		folder:                                "",
		"file://%zz.png":                      "",
		"":                                    "",
		"see " + inside:                       "",
		inside + " " + inside:                 "",
		"https://example.com/" + filepath.Base(inside): "",
	} {
		require.Equal(t, want, droppedPicture(folder, pasted), "%q", pasted)
	}
}
