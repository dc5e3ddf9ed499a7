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
	guards := func(q Question) bool { return new(Supervisor).guarded(nil, q) }
	for _, row := range []struct {
		grant           grant
		plain, delicate bool
	}{
		{grant{tool: "write", all: true}, true, false},
		{grant{tool: "write", all: true, run: "r"}, true, false},
		{grant{tool: "write", subject: ".git/hooks/x"}, false, true},
		{grant{tool: "edit", subject: ".git/hooks/x"}, false, false},
	} {
		require.Equal(t, row.plain, row.grant.covers(plain, guards(plain)), "%+v", row.grant)
		require.Equal(t, row.delicate, row.grant.covers(delicate, guards(delicate)), "%+v", row.grant)
	}
}
