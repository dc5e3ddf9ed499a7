package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestAGrantIsForWhatAPersonMayAllow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a", "b"))
		deny := func(by string) func(context.Context, *Port) Outcome {
			return func(_ context.Context, port *Port) Outcome {
				err := port.Record(nil, PermissionDenied{Tool: "shell", Subject: "rm", By: by})
				return Outcome{Text: "ok", Err: err}
			}
		}
		st.on("a", deny("rule"))
		st.on("b", deny("nobody"))
		st.say("go")
		synctest.Wait()
		_, err := st.s.Do(t.Context(), Grant{Session: st.child("a").Session})
		require.ErrorContains(t, err, "rule", "a rule is not lifted by a key")
		st.do(Grant{Session: st.child("b").Session})
	})
}
