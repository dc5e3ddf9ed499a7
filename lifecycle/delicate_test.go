package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A yes for a tool was given without a thought of what is delicate: that is asked
// about each time, until it is that very subject that was allowed.
func TestAYesForAToolIsNoneToWhatIsDelicate(t *testing.T) {
	plain := Question{Tool: "write", Subject: "a.go", Run: "r"}
	delicate := Question{Tool: "write", Subject: ".git/hooks/x", Run: "r", Delicate: "it can run programs"}
	for _, row := range []struct {
		grant           grant
		plain, delicate bool
	}{
		{grant{tool: "write"}, true, false},
		{grant{tool: "write", run: "r"}, true, false},
		{grant{tool: "write", subject: ".git/hooks/x"}, false, true},
		{grant{tool: "edit", subject: ".git/hooks/x"}, false, false},
	} {
		require.Equal(t, row.plain, row.grant.covers(plain), "%+v", row.grant)
		require.Equal(t, row.delicate, row.grant.covers(delicate), "%+v", row.grant)
	}
}
