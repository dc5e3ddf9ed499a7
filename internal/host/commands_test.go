package host

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/docs"
)

func TestTheModesAreWordedAsOnTheirPage(t *testing.T) {
	pages := docs.Pages()
	page := pages[slices.IndexFunc(pages, func(p docs.Page) bool { return p.Subject == "permissions" })]
	for _, mode := range modesSaid() {
		require.Contains(t, page.Text, fmt.Sprintf("| `%s` | %s |\n", mode.Name, mode.Means))
	}
}
