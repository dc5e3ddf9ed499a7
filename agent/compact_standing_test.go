package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// starting is a tool that starts a subagent and, in the foreground, waits for it.
func starting(name, prompt string, background bool) Tool {
	return Tool{Spec: ToolSpec{Name: name}, Run: func(ctx context.Context, i Invocation) Result {
		run, err := i.Scope.Start(lifecycle.Spec{Call: i.Call, Type: TypeExplore, Description: prompt, Prompt: prompt, Background: background}, "")
		i.Started()
		if err == nil && !background {
			run, err = i.Scope.Wait(ctx, run.ID)
		}
		if err != nil {
			return ErrorResult(err.Error())
		}
		result := Result{Text: pages(1000)}
		if run.State.Terminal() {
			result.Consumes = []lifecycle.Told{{Run: run.ID, By: lifecycle.ByToolResult}}
		}
		return result
	}}
}

func TestTheSummaryStatesEverySubagentThatWorksOrWasNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := []Call{call("f", "read one")}
		st := newStage(t)
		st.room = ModelInfo{Context: 100_000}
		st.tools = []Tool{starting("read one", "read", false)}
		for i := range 7 {
			name := fmt.Sprintf("dig %d", i)
			calls = append(calls, call(name, name))
			st.tools = append(st.tools, starting(name, name, true))
		}
		calls = append(calls, call("s", "serve"))
		st.tools = append(st.tools, Tool{Spec: ToolSpec{Name: "serve"}, Run: func(_ context.Context, c Invocation) Result {
			run, err := c.Scope.StartShell(lifecycle.Spec{Call: c.Call, Command: "npm run serve"})
			require.NoError(t, err)
			return Result{Text: string(run.Session)}
		}})
		st.tools = append(st.tools, tool("wait", func(context.Context) { <-time.After(time.Minute) }))
		st.worker = func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
			if port.Run().Shell() {
				<-ctx.Done()
				return lifecycle.Outcome{Err: context.Cause(ctx)}
			}
			if _, err := port.Step(); err != nil {
				return lifecycle.Outcome{Err: err}
			}
			switch port.Run().Description {
			case "read":
				return lifecycle.Outcome{Text: "read this"}
			case "dig 0":
				<-time.After(30 * time.Second)
				return lifecycle.Outcome{Text: "the result of dig 0"}
			}
			<-ctx.Done()
			return lifecycle.Outcome{Err: context.Cause(ctx)}
		}
		st.model.turns = []turnOf{calling(calls...), paying(90_000, calling(call("w", "wait"))), says("the words"), says("done"), says("told")}
		st.open().say("go")
		<-time.After(2 * time.Minute)
		synctest.Wait()
		defer st.close()
		asked := st.model.requests()
		text := asked[3].Messages[0].Text()
		_, roster, _ := strings.Cut(text, "# Your subagents and shells\n\n")
		roster, _, _ = strings.Cut(roster, "\n\n#")
		lines := strings.Split(roster, "\n")
		require.Len(t, lines, 8, "what was read is left out: %s", roster)
		snap, err := st.s.Snapshot(root)
		require.NoError(t, err)
		for _, run := range snap.Runs {
			if run.Subagent() && run.Description != "read" {
				require.Contains(t, roster, fmt.Sprintf("agent_id %s, run_id %s, type explore, %q", run.Session, run.ID, run.Description))
			}
		}
		require.True(t, strings.HasPrefix(lines[0], "- completed: "), lines[0])
		require.Contains(t, lines[0], "started 2000-01-01T00:00:00Z (30s). You have not read its result: you will be told of it, or read it with agent_output.")
		require.True(t, strings.HasPrefix(lines[1], "- running: "), lines[1])
		require.Contains(t, lines[1], "since 2000-01-01T00:00:00Z (1m0s). Now: waiting for the model 1m00s. Do not start it again; you will be told when it ends.")
		require.True(t, strings.HasPrefix(lines[6], "- queued: "), lines[6])
		require.Contains(t, lines[6], "Now: waiting for a slot.")
		require.Contains(t, roster, `"npm run serve", since 2000-01-01T00:00:00Z (1m0s). Now: silent 1m00s.`)
		require.Contains(t, asked[3].Messages[1].Text(), "the result of dig 0", "the notification comes whole, behind the summary")
	})
}

func TestASummaryKeepsThePicturesOfWhatIsNotAnsweredYet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("hello"), says("a cat"+pages(85_000)), says("Goal: cats."), says("a dog"), says("bye"))
		st.room = ModelInfo{Context: 100_000}
		st.attach = func(text string) lifecycle.Attached {
			one := Attached{Text: text + ":", Images: []Image{{MediaType: "image/png", Data: []byte(text)}}}
			return lifecycle.Attached{Enclosures: []lifecycle.Enclosure{{Attachment: lifecycle.Attachment{Name: text}, Body: one.Encode()}}}
		}
		st.played("hi", "first.png", "second.png", "thanks")
		defer st.close()
		require.Len(t, st.summaries(), 1)
		pictures := func(req Request) (all []string) {
			for _, m := range req.Messages {
				for _, part := range m.Parts {
					if part.Image != nil {
						all = append(all, string(part.Image.Data))
					}
				}
			}
			return all
		}
		asked := st.model.requests()
		require.Equal(t, []string{"hi", "first.png", "second.png"}, pictures(asked[2]), "the model sums up what it saw")
		require.Equal(t, []string{"second.png"}, pictures(asked[3]), "and answers what it still sees")
		require.Equal(t, []string{"second.png", "thanks"}, pictures(asked[4]), "in the next run too")
	})
}
