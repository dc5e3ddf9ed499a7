package grants

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const root lifecycle.SessionID = "root"

// log is a journal in memory: real files do not advance virtual time.
type log struct {
	mu      sync.Mutex
	records []lifecycle.Record
}

func (l *log) Append(_ context.Context, changes []lifecycle.Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range changes {
		l.records = append(l.records, c.Records...)
	}
	return nil
}

func (l *log) Load(context.Context, lifecycle.SessionID) (lifecycle.Loaded, error) {
	return lifecycle.Loaded{}, nil
}

func (l *log) Records(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return nil, nil
}

// asking is a supervisor under a policy. Each of its runs puts some questions, one after
// the other, and says as its result who allowed which.
type asking struct {
	*testing.T
	s         *lifecycle.Supervisor
	questions []lifecycle.Question
}

func under(t *testing.T, p Policy) *asking {
	a := &asking{T: t}
	a.s = lifecycle.New(lifecycle.Options{Journal: &log{}, Work: a.work, Limits: lifecycle.DefaultLimits(), Attended: true, Permissions: p})
	_, err := a.s.Open(t.Context(), root, lifecycle.Spec{})
	require.NoError(t, err)
	return a
}

func (a *asking) work(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
	if _, err := port.Step(); err != nil {
		return lifecycle.Outcome{Err: err}
	}
	var said []string
	for _, q := range a.questions {
		answer, err := port.Ask(ctx, q)
		if err != nil {
			return lifecycle.Outcome{Err: err}
		}
		if answer.Allow {
			said = append(said, q.Subject+" by "+string(answer.By))
		}
	}
	return lifecycle.Outcome{Text: "allowed: " + strings.Join(said, ", ")}
}

func (a *asking) close() { require.NoError(a, a.s.Close(context.Background(), lifecycle.CauseQuit)) }

func (a *asking) do(c lifecycle.Command) {
	a.Helper()
	_, err := a.s.Do(a.Context(), c)
	require.NoError(a, err)
	synctest.Wait()
}

func (a *asking) last() lifecycle.Run {
	snapshot, err := a.s.Snapshot(root)
	require.NoError(a, err)
	run, _ := snapshot.Latest(root)
	return run
}

// begin lets a run put these questions.
func (a *asking) begin(questions ...lifecycle.Question) {
	a.Helper()
	a.questions = questions
	a.do(lifecycle.Send{Session: root, Text: "go"})
}

// answer answers the question that is open, which must be about this subject.
func (a *asking) answer(subject string, answer lifecycle.Answer) lifecycle.Question {
	a.Helper()
	asked := a.last().Asked
	require.Len(a, asked, 1)
	require.Equal(a, subject, asked[0].Subject)
	a.do(lifecycle.Resolve{Question: asked[0].ID, Answer: answer})
	return asked[0]
}

func edit(path string) lifecycle.Question {
	return lifecycle.Question{Tool: "edit", Effect: string(agent.EffectEdit), Subject: path}
}

var forSession = lifecycle.Answer{Allow: true, Scope: lifecycle.GrantSession}

func TestAYesForAWholeToolIsNoneForWhatIsGuarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := under(t, (&desk{}).policy())
		defer a.close()
		a.begin(edit("a.txt"), edit("a.txt"), edit(".git/config"))
		a.answer("a.txt", forSession)
		require.True(t, a.answer(".git/config", lifecycle.Answer{}).Each, "it is asked about by itself")
		require.Equal(t, "allowed: a.txt by person, a.txt by grant", a.last().Result)
		a.questions = []lifecycle.Question{edit(".git/config")}
		a.do(lifecycle.Grant{Session: root, Deeds: []lifecycle.Deed{{Tool: "edit", Subject: ".git/config"}}})
		require.Equal(t, "allowed: .git/config by grant", a.last().Result, "who names it grants it")
	})
}

// Who says yes to what is guarded has not thought of the rest that the tool can do.
func TestAYesForAToolToWhatIsGuardedIsOneToThatCallAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := under(t, (&desk{}).policy())
		defer a.close()
		a.begin(edit(".git/config"), edit("a.txt"))
		a.answer(".git/config", forSession)
		a.answer("a.txt", forSession)
	})
}

// A yes for a tool says nothing of the one call that a hook wants looked at; a yes for
// that very call does, or granting it later would lead back to the same question.
func TestAHooksQuestionIsAnsweredByNoWiderYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{rules: permission.Rules{Allow: []permission.AllowRule{allowed(t, "shell(make)")}}}
		a := under(t, d.policy())
		defer a.close()
		hooked := shell("make")
		hooked.Why = "sure?"
		a.begin(shell("ls"), hooked)
		a.answer("ls", forSession)
		a.answer("make", lifecycle.Answer{})
		require.Equal(t, "allowed: ls by person", a.last().Result, "neither the rule for it nor the grant counts")
		a.questions = []lifecycle.Question{hooked}
		a.do(lifecycle.Grant{Session: root})
		require.Equal(t, "allowed: make by grant", a.last().Result)
		hooked.Why = "it holds a password"
		a.begin(hooked)
		a.answer("make", lifecycle.Answer{}) // nobody has heard that
	})
}

func TestHooksAreNotAskedWhereAPersonOrARuleHasAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{rules: permission.Rules{Allow: []permission.AllowRule{allowed(t, "shell(make)")}}, said: &agent.HookResult{}}
		a := under(t, d.policy())
		defer a.close()
		a.begin(shell("make"), shell("ls"), shell("go vet"))
		require.Equal(t, 1, d.asked, "not about what the rule allows")
		a.answer("ls", lifecycle.Answer{Allow: true, Scope: lifecycle.GrantRun})
		require.Equal(t, 1, d.asked, "not about what the person allowed for the run")
		require.Equal(t, "allowed: make by rule, ls by person, go vet by grant", a.last().Result)
	})
}
