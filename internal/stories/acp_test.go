package stories

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// An editor sees a whole delegation: a subagent that the parent waits for, whose
// question it answers, one in the background whose end wakes the parent when no prompt
// is open, and all of it again when it loads the session.
func TestAnEditorSeesAWholeDelegation(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("run the tests") && h.Answered("shell"):
				return modeltest.Say("The tests are green.")
			case h.Child("run the tests"):
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
			case h.Child("look around"):
				return modeltest.Say("There are two files.").Until(release)
			case len(h.Notices()) > 0:
				return modeltest.Say("The look around is done.")
			case h.Answered("agent"):
				return modeltest.Say("Tests are ", "green, the other goes on.")
			}
			return modeltest.Do(modeltest.Delegate("run tests", "run the tests"), modeltest.Launch("look around", "look around")).Saying("I delegate.")
		})
		e := newEditor(t, s)
		e.answer = choose("once")
		id := e.begin()
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("test it, and look around")))
		page := e.until(func(acpPage) bool { return true })
		require.Equal(t, "I delegate.Tests are green, the other goes on.", page.text)
		require.True(t, page.shows("agent: run tests", sdk.ToolCallStatusCompleted, "**general** completed", "`shell: echo ran > made.txt`", "The tests are green."), page.call("agent: run tests"))
		require.True(t, page.shows("agent: look around", sdk.ToolCallStatusInProgress, "is running in the background"), page.call("agent: look around"))
		require.True(t, page.shows("run tests · shell: echo ran", sdk.ToolCallStatusCompleted))
		require.Len(t, e.asked, 1)
		require.FileExists(t, filepath.Join(s.Dir, "made.txt"))

		close(release) // no prompt is open: what follows is told all the same
		const whole = "I delegate.Tests are green, the other goes on.\n\nThe look around is done."
		e.until(func(p acpPage) bool {
			return p.text == whole && p.shows("agent: look around", sdk.ToolCallStatusCompleted, "There are two files.")
		})
		require.Equal(t, 0, e.hangUp())

		again := newEditor(t, s)
		_, err := again.LoadSession(t.Context(), sdk.LoadSessionRequest{SessionId: id, Cwd: s.Dir, McpServers: []sdk.McpServer{}})
		require.NoError(t, err)
		past := again.until(func(acpPage) bool { return true })
		require.Equal(t, "test it, and look around", past.user)
		require.Equal(t, whole, past.text)
		require.True(t, past.shows("agent: look around", sdk.ToolCallStatusCompleted, "There are two files."))
		require.True(t, past.shows("agent: run tests", sdk.ToolCallStatusCompleted, "The tests are green."))
		listed, err := again.ListSessions(t.Context(), sdk.ListSessionsRequest{Cwd: &s.Dir})
		require.NoError(t, err)
		require.Equal(t, id, listed.Sessions[0].SessionId)
	})
}

// A no is a no, an edit is shown as one, the plan is a plan, and a chosen mode holds.
func TestAnEditorAnswersSeesChangesAndChooses(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Asked("now edit") && !h.Answered("edit"):
				return modeltest.Do(modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": "edit it", "state": "active"}}}),
					modeltest.Use("read", modeltest.Object{"path": "calc.go"}),
					modeltest.Use("edit", modeltest.Object{"path": "calc.go", "edits": []modeltest.Object{{"old": "a + b", "new": "b + a"}}}))
			case h.Answered("edit"):
				return modeltest.Say("Edited.")
			case h.Answered("shell"):
				return modeltest.Say("Then not.")
			}
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "rm calc.go"}))
		})
		e := newEditor(t, s)
		e.answer = choose("no")
		id := e.begin()
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("remove it")))
		page := e.until(func(acpPage) bool { return true })
		require.True(t, page.shows("shell: rm calc.go", sdk.ToolCallStatusFailed), page.call("shell"))
		require.FileExists(t, filepath.Join(s.Dir, "calc.go"))
		require.Equal(t, sdk.ToolKindExecute, page.call("shell").kind)

		_, err := e.SetSessionMode(t.Context(), sdk.SetSessionModeRequest{SessionId: id, ModeId: "accept-edits"})
		require.NoError(t, err)
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("now edit")))
		page = e.until(func(acpPage) bool { return true })
		require.Len(t, e.asked, 1)
		require.True(t, page.shows("edit: calc.go", sdk.ToolCallStatusCompleted, filepath.Join(s.Dir, "calc.go"), "return a + b }\n»", "return b + a }\n"), page.call("edit"))
		require.Equal(t, []sdk.PlanEntry{{Content: "edit it", Priority: sdk.PlanEntryPriorityMedium, Status: sdk.PlanEntryStatusInProgress}}, page.plan)
	})
}

// A cancel stops the parent and the subagent that it waits for; the end of the line
// leaves what still runs as interrupted.
func TestAnEditorCancelsAndHangsUp(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		never := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("wait long"):
				return modeltest.Say("I ").Until(never)
			case h.Asked("again"):
				return modeltest.Say("Still ").Until(never)
			}
			return modeltest.Do(modeltest.Delegate("wait long", "wait long"))
		})
		e := newEditor(t, s)
		id := e.begin()
		ended := make(chan sdk.StopReason, 1)
		go func() { ended <- e.prompt(id, sdk.TextBlock("wait")) }()
		child := s.Server.Await(t, modeltest.FromChild("wait long"))
		require.NoError(t, e.Cancel(t.Context(), sdk.CancelNotification{SessionId: id}))
		require.Equal(t, sdk.StopReasonCancelled, <-ended)
		s.Server.AwaitLeft(t, child)
		page := e.until(func(acpPage) bool { return true })
		require.True(t, page.shows("agent: wait long", sdk.ToolCallStatusFailed, "was stopped by you"), page.call("agent"))

		other := e.begin() // a second session in the same process
		go func() {
			_, _ = e.Prompt(t.Context(), sdk.PromptRequest{SessionId: other, Prompt: []sdk.ContentBlock{sdk.TextBlock("again")}})
		}()
		left := s.Server.Await(t, modeltest.ParentAsked("again"))
		e.until(func(p acpPage) bool { return p.text == "Still " })
		require.Equal(t, 0, e.hangUp())
		s.Server.AwaitLeft(t, left)
		out, _, code := harness.Run(t, s.Dir, s.Env, "show", string(other))
		require.Equal(t, 0, code)
		require.Contains(t, out, "interrupted")
	})
}

// A prompt brings what the editor has: a link to a file, a file as it stands there
// unsaved, and a picture that has no file.
func TestAnEditorsPromptBringsFilesAndPictures(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Say("Seen.") })
		e := newEditor(t, s)
		picture := "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
		before, err := filepath.Glob(filepath.Join(harness.Variable(s.Env, "TMPDIR"), "pawl-picture-*"))
		require.NoError(t, err)
		require.Empty(t, before)
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(e.begin(),
			sdk.TextBlock("look at "), sdk.ResourceLinkBlock("calc.go", "file://"+filepath.Join(s.Dir, "calc.go")),
			sdk.ResourceBlock(sdk.EmbeddedResourceResource{TextResourceContents: &sdk.TextResourceContents{Uri: "file://" + s.Dir + "/README.md", Text: "not saved yet"}}),
			sdk.ImageBlock(picture, "image/png")))
		heard := s.Server.Await(t, modeltest.FromParent).Messages[0].Text
		require.Contains(t, heard, `look at @"calc.go" `+"`README.md`")
		require.Contains(t, heard, "return a + b")
		require.Contains(t, heard, "not saved yet")
		left, err := os.ReadDir(harness.Variable(s.Env, "TMPDIR"))
		require.NoError(t, err)
		for _, entry := range left {
			require.NotContains(t, entry.Name(), "pawl-picture-")
		}
		require.Contains(t, string(s.Server.Await(t, modeltest.FromParent).Raw), picture[:60])
	})
}

// What the editor's user has set up there is used: MCP servers, and one that cannot be
// started is named. What nobody has trusted in the folder is not, and that is said too.
func TestAnEditorsServersAreUsedAndWhatIsLeftOutIsSaid(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), looks)
	withProjectServer(t, s, "heap")
	e := newEditor(t, s)
	server := func(name, command string, args ...string) sdk.McpServer {
		return sdk.McpServer{Stdio: &sdk.McpServerStdio{Name: name, Command: command, Args: args, Env: []sdk.EnvVariable{{Name: "MARK", Value: filepath.Join(s.Home, "editors")}}}}
	}
	got, err := e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: s.Dir, McpServers: []sdk.McpServer{
		server("disk", "sh", filepath.Join(s.Dir, "server.sh")), server("not a name", "sh"),
	}})
	require.NoError(t, err)
	e.answer = choose("once")
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(got.SessionId, sdk.TextBlock("look")))
	page := e.until(func(p acpPage) bool { // what is wrong with a server is said when it is known, beside the answer
		return strings.Contains(p.text, "> Pawl: the MCP server not a name of the editor is down:")
	})
	require.Contains(t, page.text, "There are stones.")
	require.Contains(t, page.text, "> Pawl: left out 1 MCP server of .mcp.json")
	require.True(t, page.shows("mcp__disk__look", sdk.ToolCallStatusCompleted, "a heap of stones"), page.calls)
	require.NoFileExists(t, mcpMark(s))
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(got.SessionId, sdk.TextBlock("thanks")))
	again := e.until(func(acpPage) bool { return true })
	require.Equal(t, strings.Count(page.text, "> Pawl:"), strings.Count(again.text, "> Pawl:"), "each is said once")
}

// A signal, and an editor that reads no more, end it as the end of the line does: in
// order, with what ran recorded as interrupted.
func TestASignalAndAnEditorThatIsGoneEndTheServing(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for name, row := range map[string]struct {
			end  func(e *acpEditor)
			code int
		}{
			"SIGTERM":    {func(e *acpEditor) { _ = e.cmd.Process.Signal(syscall.SIGTERM) }, 143},
			"no readers": {(*acpEditor).stopReading, 0},
		} {
			release := make(chan struct{})
			s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Say("It ").Until(release, "goes on.") })
			e := newEditor(t, s)
			id := e.begin()
			go func() {
				_, _ = e.Prompt(t.Context(), sdk.PromptRequest{SessionId: id, Prompt: []sdk.ContentBlock{sdk.TextBlock("talk")}})
			}()
			e.until(func(p acpPage) bool { return p.text == "It " })
			row.end(e)
			if row.code == 0 {
				close(release) // what it then says meets nobody
			}
			harness.WaitEnd(t, e.cmd)
			require.Equal(t, row.code, e.cmd.ProcessState.ExitCode(), name)
			if row.code != 0 {
				out, _, _ := harness.Run(t, s.Dir, s.Env, "show", string(id))
				require.Contains(t, out, "interrupted", name)
				require.Contains(t, out, "without a screen", name)
			}
		}
	})
}
