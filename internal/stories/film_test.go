package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/ui/picturetest"
)

// reviewer is a subagent of the film: what it says and looks at, step by step, and what it says last.
type reviewer struct {
	name  string
	pace  time.Duration // of a step of its model
	steps []step
	says  [2]string     // the second when last is closed
	last  chan struct{} // nil: never
}

type step struct {
	says string
	call modeltest.Call
}

func reviewers() []*reviewer {
	read := func(says, path string) step {
		return step{says, modeltest.Use("read", modeltest.Object{"path": path})}
	}
	grep := func(says, pattern string) step {
		return step{says, modeltest.Use("grep", modeltest.Object{"pattern": pattern})}
	}
	const pace = 1300 * time.Millisecond
	return []*reviewer{
		{
			"correctness", pace,
			[]step{read("The sum first.", "refund.go"), read("What is expected of it?", "refund_test.go"), grep("Where else is rounded?", "math.Round"), read("Who reads the sum?", "store/refunds.go")},
			[2]string{"Half a cent is rounded away ", "from the customer: refund.go:9."},
			make(chan struct{}),
		},
		{
			"security", pace + 150*time.Millisecond,
			[]step{read("What comes from outside?", "api/refund.go"), grep("Each value of a request.", "r.FormValue"), read("Is the amount checked?", "refund.go")},
			[2]string{"The amount comes from the request, and nobody holds it against the order:\n", "`api/refund.go:8` pays out whatever is asked for."},
			make(chan struct{}),
		},
		{
			"tests", pace + 300*time.Millisecond,
			[]step{grep("Which tests are there?", "func Test"), read("One. What does it try?", "refund_test.go"), read("What does it leave out?", "refund.go")},
			[2]string{"No test refunds an order twice, ", "and none a part of one."},
			make(chan struct{}),
		},
		{
			"performance", pace - 100*time.Millisecond,
			[]step{grep("Every loop.", "for .* range"), read("How long can this one be?", "store/refunds.go"), grep("What does it ask the database?", "Query")},
			[2]string{"I measure this with a million orders, which takes ten minutes.", ""},
			nil,
		},
		{
			"documentation", pace + 200*time.Millisecond,
			[]step{read("What does the page promise?", "docs/refunds.md"), grep("Where is that done?", "pay"), read("And the README?", "README.md")},
			[2]string{"The page says what the code does, ", "with one word too many."},
			make(chan struct{}),
		},
	}
}

// passed is closed when a time has passed: a model takes its time, and a film of it too.
func passed(d time.Duration) <-chan struct{} {
	gone := make(chan struct{})
	time.AfterFunc(d, func() { close(gone) })
	return gone
}

// answer is what the reviewer's model says next.
func (r *reviewer) answer(h modeltest.Request) modeltest.Reply {
	steps := 0
	for _, m := range h.Messages {
		if m.Role == "assistant" {
			steps++
		}
	}
	if steps < len(r.steps) {
		next := r.steps[steps]
		return modeltest.Do(next.call).Saying(next.says).Until(passed(r.pace))
	}
	if r.last == nil {
		return modeltest.Say(r.says[0]).Until(make(chan struct{}))
	}
	return modeltest.Say(r.says[0]).Until(r.last, r.says[1])
}

// review is the parent's model and those of its reviewers.
func review(all []*reviewer) func(h modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		for _, one := range all {
			if h.Child("Review the refunds for " + one.name) {
				return one.answer(h)
			}
		}
		switch told := len(h.Notices()); {
		case told == len(all):
			return modeltest.Say("Four reviews are in; **performance** was stopped by you.\n\n",
				"1. `api/refund.go:8` pays out whatever amount is asked for.\n", "2. `refund.go:9` rounds half a cent away from the customer.\n",
				"3. No test refunds the same order twice.\n\n", "The first is the one to fix today.")
		case told > 1:
			return modeltest.Say(fmt.Sprintf("%d of five have ended.", told))
		case told == 1:
			return modeltest.Say("You stopped the performance review. I go on without it.")
		case h.Answered("agent"):
			return modeltest.Say("All five are under way. I will be told how each of them ends.")
		}
		var calls []modeltest.Call
		for _, one := range all {
			calls = append(calls, modeltest.Use("agent", modeltest.Object{
				"description": one.name, "prompt": "Review the refunds for " + one.name + ".", "subagent_type": "explore", "run_in_background": true,
			}))
		}
		return modeltest.Do(calls...).Saying("Five reviewers, ").Until(passed(600*time.Millisecond), "a question each.")
	}
}

// shop is what they review.
func shop(t *testing.T) string {
	folder := filepath.Join(t.TempDir(), "shop")
	require.NoError(t, os.Rename(gittest.Checkout(t), folder))
	for name, text := range map[string]string{
		"refund.go":        "package shop\n\nimport \"math\"\n\n// Refund is what comes back of a price, in cents.\nfunc Refund(price, part float64) int {\n\tback := price * part\n\tback *= 100\n\treturn int(math.Round(back - 0.5))\n}\n",
		"refund_test.go":   "package shop\n\nimport \"testing\"\n\nfunc TestRefund(t *testing.T) {\n\tif Refund(10, 1) != 1000 {\n\t\tt.Fail()\n\t}\n}\n",
		"api/refund.go":    "package api\n\nimport \"net/http\"\n\nfunc refund(w http.ResponseWriter, r *http.Request) {\n\torder := r.FormValue(\"order\")\n\t// the amount\n\tpay(order, r.FormValue(\"amount\"))\n}\n",
		"store/refunds.go": "package store\n\nfunc (s *Store) Refunds(order string) (all []Refund) {\n\tfor _, one := range s.Query(order) {\n\t\tall = append(all, one)\n\t}\n\treturn all\n}\n",
		"docs/refunds.md":  "# Refunds\n\nA refund is paid at once.\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

// delegation films a prompt, the five subagents that it starts, a look into one, a stop of one, and
// the report. The models are scripts; all else is as it is.
func delegation(t *testing.T) string {
	all := reviewers()
	s := harness.NewStageIn(t, shop(t), modeltest.Chat(), review(all))
	s.Server.Takes("")
	s.Configured(t, fmt.Sprintf("model = \"scripted/model\"\n[providers.scripted]\nkind = \"chat\"\nbase_url = \"%s/v1\"\n[models.\"scripted/*\"]\ncontext = 200000\n", s.Server.URL))
	s.With("HOME="+filepath.Dir(s.Dir), "COLORTERM=truecolor", "ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "GEMINI_API_KEY=")
	r := recorder{Terminal: harness.StartSized(t, 100, 28, s.Dir, s.Env)}
	r.Ready()
	r.See("Ask Pawl anything")
	r.begun = time.Now()
	const prompt = "Review the refunds with five reviewers."
	for i, letter := range prompt {
		r.Type(string(letter))
		r.until("what was typed", showing("› "+strings.TrimRight(prompt[:i+1], " ")))
		r.wait += 45 * time.Millisecond // a person's, who is not waited for
	}
	r.until("the prompt", showing(prompt))
	r.Type(harness.KeyEnter)
	r.until("five at work", func(screen string) bool {
		return strings.Count(screen, "explore") >= len(all) && strings.Contains(screen, "All five are under way") && strings.Contains(screen, "What is expected")
	})
	r.film.Poster()
	r.pause(1500 * time.Millisecond)
	r.Type(harness.KeyDown)
	r.until("the focus on the lines", showing("enter open"))
	r.pause(700 * time.Millisecond)
	r.Type(harness.KeyDown)
	r.pause(700 * time.Millisecond)
	r.Type(harness.KeyEnter)
	r.until("a look into one", showing(`Message "security"`))
	r.until("what it says", showing("nobody holds it"))
	r.pause(1500 * time.Millisecond)
	r.Type(harness.KeyLeft)
	r.until("the conversation", showing("All five are under way"))
	r.pause(400 * time.Millisecond)
	for range 4 { // performance is the fourth
		r.Type(harness.KeyDown)
		r.pause(300 * time.Millisecond)
	}
	r.pause(900 * time.Millisecond)
	r.Type("x")
	r.until("the first press", showing("x again stops it"))
	r.pause(700 * time.Millisecond)
	r.Type("x")
	r.until("the stop", showing("I go on without it"))
	for i, one := range all {
		if one.last != nil {
			time.AfterFunc(time.Duration(i)*600*time.Millisecond, func() { close(one.last) })
		}
	}
	r.until("the report", showing("The first is the one to fix today"))
	r.until("its end", func(screen string) bool { return !strings.Contains(screen, "esc stops") })
	return r.film.SVG(picturetest.Dark, 4*time.Second)
}

// pause films for a while what goes on by itself.
func (r *recorder) pause(d time.Duration) {
	gone := passed(d)
	for {
		select {
		case <-gone:
			return
		case <-time.After(50 * time.Millisecond):
			r.WithEmulator(func(e *vt.Emulator) { r.film.Add(picturetest.Of(e), time.Since(r.begun)+r.wait) })
		}
	}
}
