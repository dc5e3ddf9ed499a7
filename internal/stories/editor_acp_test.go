package stories

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// acpEditor is an editor that has started pawl acp.
type acpEditor struct {
	sdk.Client // what it does not offer
	*sdk.ClientSideConnection
	t      testing.TB
	s      *harness.Stage
	cmd    *exec.Cmd
	in     io.Closer
	out    io.Closer
	errs   bytes.Buffer
	answer func(sdk.RequestPermissionRequest) sdk.RequestPermissionOutcome

	mu      sync.Mutex
	updates []sdk.SessionUpdate
	asked   []sdk.RequestPermissionRequest
	changed chan struct{} // closed and replaced with each update
}

// newEditor starts pawl acp on the stage, with the end of its output in view.
func newEditor(t testing.TB, s *harness.Stage, args ...string) *acpEditor {
	t.Helper()
	return newEditorBy(t, s, s.Flags(args...)...)
}

// newEditorBy is editor with these flags alone.
func newEditorBy(t testing.TB, s *harness.Stage, flags ...string) *acpEditor {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	// No context ends it: what is tested is that the end of its input does.
	e := &acpEditor{t: t, s: s, changed: make(chan struct{}), cmd: exec.Command(path, append([]string{"acp"}, flags...)...)}
	e.cmd.Dir, e.cmd.Env, e.cmd.Stderr = t.TempDir(), s.Env, &e.errs
	in, err := e.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := e.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, e.cmd.Start())
	e.in, e.out = in, out
	e.ClientSideConnection = sdk.NewClientSideConnection(e, in, out)
	e.SetLogger(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { e.hangUp() })
	got, err := e.Initialize(t.Context(), sdk.InitializeRequest{ProtocolVersion: sdk.ProtocolVersionNumber})
	require.NoError(t, err)
	require.True(t, got.AgentCapabilities.LoadSession)
	return e
}

// hangUp ends the editor's side, and gives Pawl's exit code.
func (e *acpEditor) hangUp() int {
	if e.cmd.ProcessState == nil {
		_ = e.in.Close()
		select {
		case <-e.Done(): // its output is at its end
		case <-time.After(modeltest.Patience):
			e.t.Error("pawl acp does not end with its input")
		}
		harness.WaitEnd(e.t, e.cmd)
		harness.RequireNoRaces(e.t, e.errs.String(), e.s.Env)
	}
	return e.cmd.ProcessState.ExitCode()
}

// stopReading closes the editor's end of Pawl's output. A child that another test has just forked holds
// it too, until it becomes its program, and what Pawl writes meanwhile would not fail.
func (e *acpEditor) stopReading() {
	syscall.ForkLock.RLock()
	_ = e.out.Close()
	syscall.ForkLock.RUnlock()
	<-e.Done() // the pipe is closed once nobody waits to read
}

// begin opens a session in the stage's folder.
func (e *acpEditor) begin() sdk.SessionId {
	e.t.Helper()
	got, err := e.NewSession(e.t.Context(), sdk.NewSessionRequest{Cwd: e.s.Dir, McpServers: []sdk.McpServer{}})
	require.NoError(e.t, err)
	return got.SessionId
}

// Prompt sends a prompt and waits for its end.
func (e *acpEditor) prompt(id sdk.SessionId, blocks ...sdk.ContentBlock) sdk.StopReason {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.t.Context(), modeltest.Patience)
	defer cancel()
	got, err := e.Prompt(ctx, sdk.PromptRequest{SessionId: id, Prompt: blocks})
	require.NoError(e.t, err)
	return got.StopReason
}

// SessionUpdate implements sdk.Client.
func (e *acpEditor) SessionUpdate(_ context.Context, n sdk.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.updates = append(e.updates, n.Update)
	close(e.changed)
	e.changed = make(chan struct{})
	return nil
}

// RequestPermission implements sdk.Client.
func (e *acpEditor) RequestPermission(_ context.Context, r sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	e.mu.Lock()
	e.asked = append(e.asked, r)
	e.mu.Unlock()
	return sdk.RequestPermissionResponse{Outcome: e.answer(r)}, nil
}

// choose answers every question with this option.
func choose(option sdk.PermissionOptionId) func(sdk.RequestPermissionRequest) sdk.RequestPermissionOutcome {
	return func(sdk.RequestPermissionRequest) sdk.RequestPermissionOutcome {
		return sdk.NewRequestPermissionOutcomeSelected(option)
	}
}

// Until waits for what has been shown to be like this.
func (e *acpEditor) until(like func(acpPage) bool) acpPage {
	e.t.Helper()
	for end := time.After(modeltest.Patience); ; {
		e.mu.Lock()
		page, changed := e.page(), e.changed
		e.mu.Unlock()
		if like(page) {
			return page
		}
		select {
		case <-changed:
		case <-end:
			require.FailNow(e.t, "the editor never shows it", "%+v", page)
		}
	}
}

// acpPage is what an editor shows of a session.
type acpPage struct {
	user, text, thoughts string
	plan                 []sdk.PlanEntry
	calls                []*acpCall
}

// acpCall is a tool call as an editor shows it.
type acpCall struct {
	id     sdk.ToolCallId
	title  string
	kind   sdk.ToolKind
	status sdk.ToolCallStatus
	text   string // its content, diffs as old » new
}

// Call is the call whose title begins like this; nil without one.
func (p acpPage) call(title string) *acpCall {
	i := slices.IndexFunc(p.calls, func(c *acpCall) bool { return strings.HasPrefix(c.title, title) })
	if i < 0 {
		return nil
	}
	return p.calls[i]
}

// shows says that a call stands like this, with these words in its content.
func (p acpPage) shows(title string, status sdk.ToolCallStatus, words ...string) bool {
	c := p.call(title)
	return c != nil && c.status == status && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(c.text, w) })
}

// exportedPage reads the updates in their order. An update of a call that was never told fails.
func (e *acpEditor) page() acpPage {
	var p acpPage
	for _, u := range e.updates {
		switch {
		case u.UserMessageChunk != nil:
			p.user += u.UserMessageChunk.Content.Text.Text
		case u.AgentMessageChunk != nil:
			p.text += u.AgentMessageChunk.Content.Text.Text
		case u.AgentThoughtChunk != nil:
			p.thoughts += u.AgentThoughtChunk.Content.Text.Text
		case u.Plan != nil:
			p.plan = u.Plan.Entries
		case u.ToolCall != nil:
			p.calls = append(p.calls, &acpCall{u.ToolCall.ToolCallId, u.ToolCall.Title, u.ToolCall.Kind, u.ToolCall.Status, contentOf(u.ToolCall.Content)})
		case u.ToolCallUpdate != nil:
			i := slices.IndexFunc(p.calls, func(c *acpCall) bool { return c.id == u.ToolCallUpdate.ToolCallId })
			require.GreaterOrEqual(e.t, i, 0, "an update of an unknown call %s", u.ToolCallUpdate.ToolCallId)
			p.calls[i].status = *u.ToolCallUpdate.Status
			if u.ToolCallUpdate.Content != nil {
				p.calls[i].text = contentOf(u.ToolCallUpdate.Content)
			}
		}
	}
	return p
}

func contentOf(all []sdk.ToolCallContent) string {
	var b strings.Builder
	for _, c := range all {
		switch {
		case c.Content != nil:
			b.WriteString(c.Content.Content.Text.Text)
		case c.Diff != nil && c.Diff.OldText != nil:
			b.WriteString(c.Diff.Path + ": " + *c.Diff.OldText + "»" + c.Diff.NewText)
		case c.Diff != nil:
			b.WriteString(c.Diff.Path + ": »" + c.Diff.NewText)
		}
	}
	return b.String()
}
