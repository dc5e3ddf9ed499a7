package stories

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/models"
)

// An editor sees a whole delegation: a subagent that the parent waits for, whose
// question it answers, one in the background whose end wakes the parent when no prompt
// is open, and all of it again when it loads the session.
func TestAnEditorSeesAWholeDelegation(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("run the tests") && h.answered("shell"):
				return say("The tests are green.")
			case h.child("run the tests"):
				return do(use("shell", object{"command": "echo ran > made.txt"}))
			case h.child("look around"):
				return say("There are two files.").until(release)
			case len(h.notices()) > 0:
				return say("The look around is done.")
			case h.answered("agent"):
				return say("Tests are ", "green, the other goes on.")
			}
			return do(delegate("run tests", "run the tests"), launch("look around", "look around")).saying("I delegate.")
		})
		e := s.editor(t)
		e.answer = choose("once")
		id := e.begin()
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("test it, and look around")))
		page := e.until(func(acpPage) bool { return true })
		require.Equal(t, "I delegate.Tests are green, the other goes on.", page.text)
		require.True(t, page.shows("agent: run tests", sdk.ToolCallStatusCompleted, "**general** completed", "`shell: echo ran > made.txt`", "The tests are green."), page.call("agent: run tests"))
		require.True(t, page.shows("agent: look around", sdk.ToolCallStatusInProgress, "is running in the background"), page.call("agent: look around"))
		require.True(t, page.shows("run tests · shell: echo ran", sdk.ToolCallStatusCompleted))
		require.Len(t, e.asked, 1)
		require.FileExists(t, filepath.Join(s.dir, "made.txt"))

		close(release) // no prompt is open: what follows is told all the same
		const whole = "I delegate.Tests are green, the other goes on.\n\nThe look around is done."
		e.until(func(p acpPage) bool {
			return p.text == whole && p.shows("agent: look around", sdk.ToolCallStatusCompleted, "There are two files.")
		})
		require.Equal(t, 0, e.hangUp())

		again := s.editor(t)
		_, err := again.LoadSession(t.Context(), sdk.LoadSessionRequest{SessionId: id, Cwd: s.dir, McpServers: []sdk.McpServer{}})
		require.NoError(t, err)
		past := again.until(func(acpPage) bool { return true })
		require.Equal(t, "test it, and look around", past.user)
		require.Equal(t, whole, past.text)
		require.True(t, past.shows("agent: look around", sdk.ToolCallStatusCompleted, "There are two files."))
		require.True(t, past.shows("agent: run tests", sdk.ToolCallStatusCompleted, "The tests are green."))
		listed, err := again.ListSessions(t.Context(), sdk.ListSessionsRequest{Cwd: &s.dir})
		require.NoError(t, err)
		require.Equal(t, id, listed.Sessions[0].SessionId)
	})
}

// A no is a no, an edit is shown as one, the plan is a plan, and a chosen mode holds.
func TestAnEditorAnswersSeesChangesAndChooses(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.asked("now edit") && !h.answered("edit"):
				return do(use("todo", object{"items": []object{{"text": "edit it", "state": "active"}}}),
					use("read", object{"path": "calc.go"}),
					use("edit", object{"path": "calc.go", "edits": []object{{"old": "a + b", "new": "b + a"}}}))
			case h.answered("edit"):
				return say("Edited.")
			case h.answered("shell"):
				return say("Then not.")
			}
			return do(use("shell", object{"command": "rm calc.go"}))
		})
		e := s.editor(t)
		e.answer = choose("no")
		id := e.begin()
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("remove it")))
		page := e.until(func(acpPage) bool { return true })
		require.True(t, page.shows("shell: rm calc.go", sdk.ToolCallStatusFailed), page.call("shell"))
		require.FileExists(t, filepath.Join(s.dir, "calc.go"))
		require.Equal(t, sdk.ToolKindExecute, page.call("shell").kind)

		_, err := e.SetSessionMode(t.Context(), sdk.SetSessionModeRequest{SessionId: id, ModeId: "accept-edits"})
		require.NoError(t, err)
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(id, sdk.TextBlock("now edit")))
		page = e.until(func(acpPage) bool { return true })
		require.Len(t, e.asked, 1)
		require.True(t, page.shows("edit: calc.go", sdk.ToolCallStatusCompleted, filepath.Join(s.dir, "calc.go"), "return a + b }\n»", "return b + a }\n"), page.call("edit"))
		require.Equal(t, []sdk.PlanEntry{{Content: "edit it", Priority: sdk.PlanEntryPriorityMedium, Status: sdk.PlanEntryStatusInProgress}}, page.plan)
	})
}

// A cancel stops the parent and the subagent that it waits for; the end of the line
// leaves what still runs as interrupted.
func TestAnEditorCancelsAndHangsUp(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		never := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("wait long"):
				return say("I ").until(never)
			case h.asked("again"):
				return say("Still ").until(never)
			}
			return do(delegate("wait long", "wait long"))
		})
		e := s.editor(t)
		id := e.begin()
		ended := make(chan sdk.StopReason, 1)
		go func() { ended <- e.prompt(id, sdk.TextBlock("wait")) }()
		child := s.server.await(t, fromChild("wait long"))
		require.NoError(t, e.Cancel(t.Context(), sdk.CancelNotification{SessionId: id}))
		require.Equal(t, sdk.StopReasonCancelled, <-ended)
		s.server.awaitLeft(t, child)
		page := e.until(func(acpPage) bool { return true })
		require.True(t, page.shows("agent: wait long", sdk.ToolCallStatusFailed, "was stopped by you"), page.call("agent"))

		other := e.begin() // a second session in the same process
		go func() {
			_, _ = e.Prompt(t.Context(), sdk.PromptRequest{SessionId: other, Prompt: []sdk.ContentBlock{sdk.TextBlock("again")}})
		}()
		left := s.server.await(t, parentAsked("again"))
		e.until(func(p acpPage) bool { return p.text == "Still " })
		require.Equal(t, 0, e.hangUp())
		s.server.awaitLeft(t, left)
		out, _, code := run(t, s.dir, s.env, "show", string(other))
		require.Equal(t, 0, code)
		require.Contains(t, out, "interrupted")
	})
}

// A prompt brings what the editor has: a link to a file, a file as it stands there
// unsaved, and a picture that has no file.
func TestAnEditorsPromptBringsFilesAndPictures(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return say("Seen.") })
		e := s.editor(t)
		picture := "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
		before, err := filepath.Glob(filepath.Join(models.Lookup(s.env)("TMPDIR"), "pawl-picture-*"))
		require.NoError(t, err)
		require.Empty(t, before)
		require.Equal(t, sdk.StopReasonEndTurn, e.prompt(e.begin(),
			sdk.TextBlock("look at "), sdk.ResourceLinkBlock("calc.go", "file://"+filepath.Join(s.dir, "calc.go")),
			sdk.ResourceBlock(sdk.EmbeddedResourceResource{TextResourceContents: &sdk.TextResourceContents{Uri: "file://" + s.dir + "/README.md", Text: "not saved yet"}}),
			sdk.ImageBlock(picture, "image/png")))
		heard := s.server.await(t, fromParent).messages[0].text
		require.Contains(t, heard, `look at @"calc.go" `+"`README.md`")
		require.Contains(t, heard, "return a + b")
		require.Contains(t, heard, "not saved yet")
		left, err := os.ReadDir(models.Lookup(s.env)("TMPDIR"))
		require.NoError(t, err)
		for _, entry := range left {
			require.NotContains(t, entry.Name(), "pawl-picture-")
		}
		require.Contains(t, string(s.server.await(t, fromParent).raw), picture[:60])
	})
}

// What the editor's user has set up there is used: MCP servers, and one that cannot be
// started is named. What nobody has trusted in the folder is not, and that is said too.
func TestAnEditorsServersAreUsedAndWhatIsLeftOutIsSaid(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), looks)
	s.withProjectServer(t, "heap")
	e := s.editor(t)
	server := func(name, command string, args ...string) sdk.McpServer {
		return sdk.McpServer{Stdio: &sdk.McpServerStdio{Name: name, Command: command, Args: args, Env: []sdk.EnvVariable{{Name: "MARK", Value: filepath.Join(s.home, "editors")}}}}
	}
	got, err := e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: s.dir, McpServers: []sdk.McpServer{
		server("disk", "sh", filepath.Join(s.dir, "server.sh")), server("not a name", "sh"),
	}})
	require.NoError(t, err)
	e.answer = choose("once")
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(got.SessionId, sdk.TextBlock("look")))
	page := e.until(func(acpPage) bool { return true })
	require.Contains(t, page.text, "There are stones.")
	require.Contains(t, page.text, "> Pawl: left out 1 MCP server of .mcp.json")
	require.Contains(t, page.text, "> Pawl: the MCP server not a name of the editor is down:")
	require.True(t, page.shows("mcp__disk__look", sdk.ToolCallStatusCompleted, "a heap of stones"), page.calls)
	require.NoFileExists(t, s.mcpMark())
	require.Equal(t, sdk.StopReasonEndTurn, e.prompt(got.SessionId, sdk.TextBlock("thanks")))
	again := e.until(func(acpPage) bool { return true })
	require.Equal(t, strings.Count(page.text, "> Pawl:"), strings.Count(again.text, "> Pawl:"), "each is said once")
}

// A signal, and an editor that reads no more, end it as the end of the line does: in
// order, with what ran recorded as interrupted.
func TestASignalAndAnEditorThatIsGoneEndTheServing(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		for name, row := range map[string]struct {
			end  func(e *acpEditor)
			code int
		}{
			"SIGTERM":    {func(e *acpEditor) { _ = e.cmd.Process.Signal(syscall.SIGTERM) }, 143},
			"no readers": {func(e *acpEditor) { _ = e.out.Close(); <-e.Done() }, 0}, // the pipe is closed once nobody waits to read
		} {
			release := make(chan struct{})
			s := set(t, p, func(heard) reply { return say("It ").until(release, "goes on.") })
			e := s.editor(t)
			id := e.begin()
			go func() {
				_, _ = e.Prompt(t.Context(), sdk.PromptRequest{SessionId: id, Prompt: []sdk.ContentBlock{sdk.TextBlock("talk")}})
			}()
			e.until(func(p acpPage) bool { return p.text == "It " })
			row.end(e)
			if row.code == 0 {
				close(release) // what it then says meets nobody
			}
			waitEnd(t, e.cmd)
			require.Equal(t, row.code, e.cmd.ProcessState.ExitCode(), name)
			if row.code != 0 {
				out, _, _ := run(t, s.dir, s.env, "show", string(id))
				require.Contains(t, out, "interrupted", name)
				require.Contains(t, out, "without a screen", name)
			}
		}
	})
}
