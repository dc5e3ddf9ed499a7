package lifecycle

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// What was allowed beyond its call is listed for as long as it is in force; revoked, the
// next call is asked about again.
func TestEveryGrantThatIsInForceCanBeSeenAndRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		work := []Deed{{"shell", "ls"}, {"shell", "rm"}, {"edit", "a.txt"}}
		st.on("go", tries(work...))
		st.on("more", tries(work...))
		answer := func(run RunID, subject string, scope GrantScope) {
			t.Helper()
			synctest.Wait()
			asked := st.run(run).Asked
			require.Len(t, asked, 1)
			require.Equal(t, subject, asked[0].Subject)
			st.do(Resolve{Question: asked[0].ID, Answer: Answer{Allow: true, Scope: scope}})
			synctest.Wait()
		}
		first := st.say("go").ID
		require.Empty(t, st.s.StandingGrants(root))
		answer(first, "ls", GrantSession)
		ofShell := StandingGrant{Session: root, Tool: "shell", All: true}
		require.Equal(t, []StandingGrant{ofShell}, st.s.StandingGrants(root))
		answer(first, "a.txt", GrantRun)
		require.Equal(t, []StandingGrant{ofShell}, st.s.StandingGrants(root), "what was for a run is over with it")

		require.ErrorIs(t, st.s.Revoke(root, StandingGrant{Session: root, Tool: "edit", All: true}), ErrUnknown)
		require.ErrorIs(t, st.s.Revoke(root, StandingGrant{Session: "nobody's", Tool: "shell", All: true}), ErrUnknown)
		require.NoError(t, st.s.Revoke(root, ofShell))
		require.Empty(t, st.s.StandingGrants(root))
		require.ErrorIs(t, st.s.Revoke(root, ofShell), ErrUnknown, "it is revoked already")

		second := st.say("more").ID
		answer(second, "ls", GrantRun)
		ofRun := StandingGrant{Session: root, Run: second, Tool: "shell", All: true}
		require.Equal(t, []StandingGrant{ofRun}, st.s.StandingGrants(root), "rm was covered by it: the edit is in front")
		answer(second, "a.txt", GrantOnce)
		require.Empty(t, st.s.StandingGrants(root))
	})
}

func TestWhatWasGrantedToASubagentCanBeRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("dig"))
		st.on("dig", tries(Deed{"shell", "ls"}))
		st.on(tried("shell ls"), tries(Deed{"shell", "ls"}))
		st.say("go")
		synctest.Wait()
		session := st.child("dig").Session
		st.do(Grant{Session: session})
		synctest.Wait()
		require.Equal(t, "allowed: shell ls by grant", st.child("dig").Result)
		exact := StandingGrant{Session: session, Tool: "shell", Subject: "ls"}
		require.Equal(t, []StandingGrant{exact}, st.s.StandingGrants(root))
		require.NoError(t, st.s.Revoke(root, exact))
		st.on("again", tries(Deed{"shell", "ls"}))
		st.do(Send{Session: session, Text: "again"})
		synctest.Wait()
		asked := st.child("dig").Asked
		require.Len(t, asked, 1, "who has written to it is asked again")
		st.do(Resolve{Question: asked[0].ID, Answer: Answer{}})
		synctest.Wait()
	})
}
