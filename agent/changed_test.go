package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// changedFiles is what a tool of these tests changes.
func changedFiles() *lifecycle.FilesChanged {
	return &lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/src", Files: []lifecycle.FileChange{{Path: "a.go", After: lifecycle.FileState{Kind: lifecycle.FileRegular}}}}
}

func TestWhatACallChangedIsRecordedWithItsEndAndThenTheToolIsTold(t *testing.T) {
	for name, hooks := range map[string]func(context.Context, HookInput) HookResult{
		"a result": nil,
		"a hook that speaks": func(_ context.Context, o HookInput) HookResult {
			return HookResult{Decision: HookDeny, Reason: "tests fail", Context: "look at " + o.Call.Name}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, calling(call("1", "change")), says("done"), says("done"))
				var told []lifecycle.Event
				ran := 0
				change := doing("change", &ran)
				change.Effect = nil
				change.Run = func(_ context.Context, in Invocation) Result {
					require.Equal(t, st.last().ID, in.Run)
					return Result{Text: "changed", Files: changedFiles(), OnRecorded: func() {
						for _, rec := range st.journal.records[len(st.journal.records)-2:] {
							told = append(told, rec.Event)
						}
					}}
				}
				st.tools = []Tool{change}
				if hooks != nil {
					st.hooks = func(ctx context.Context, o HookInput) HookResult {
						if o.Event != HookPostToolUse {
							return HookResult{}
						}
						return hooks(ctx, o)
					}
				}
				st.open().say("go")
				synctest.Wait()
				defer st.close()
				require.Len(t, told, 2)
				end, is := told[0].(lifecycle.ToolEnded)
				require.True(t, is)
				want := changedFiles()
				want.Call = end.Call
				require.Equal(t, *want, told[1])
			})
		})
	}
}
