package acp

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// errCutOff is the error of a prompt that was cut off by the end of Pawl.
var errCutOff = errors.New("pawl ended before the answer was complete: load the session to go on")

// client is the part of the editor that Pawl calls.
type client interface {
	SessionUpdate(context.Context, sdk.SessionNotification) error
	RequestPermission(context.Context, sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error)
	Done() <-chan struct{} // closed when the connection ends
}

// editor serves the requests of one connection. The SDK calls each method on a goroutine of its
// own.
type editor struct {
	options Options
	ctx     context.Context // done when the connection ends
	client  client
	answers afterAnswers
	placed  chan<- struct{} // gets one value for each prompt, as soon as a later cancel can find it

	mu       sync.Mutex
	sessions map[lifecycle.SessionID]*session
	closed   bool
	busy     sync.WaitGroup // sessions being opened or closed; incremented under mu while closed is false
}

var (
	_ sdk.Agent       = (*editor)(nil)
	_ sdk.AgentLoader = (*editor)(nil)
)

// Initialize implements sdk.Agent.
func (e *editor) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		AgentInfo:       &sdk.Implementation{Name: "pawl", Title: sdk.Ptr("Pawl"), Version: e.options.Version},
		AuthMethods:     []sdk.AuthMethod{},
		AgentCapabilities: sdk.AgentCapabilities{
			LoadSession:        true,
			McpCapabilities:    sdk.McpCapabilities{Http: true},
			PromptCapabilities: sdk.PromptCapabilities{Image: true, EmbeddedContext: true},
			SessionCapabilities: sdk.SessionCapabilities{
				List: &sdk.SessionListCapabilities{}, Resume: &sdk.SessionResumeCapabilities{}, Close: &sdk.SessionCloseCapabilities{},
			},
		},
	}, nil
}

// Authenticate implements sdk.Agent. It always fails: there is no login.
func (e *editor) Authenticate(context.Context, sdk.AuthenticateRequest) (sdk.AuthenticateResponse, error) {
	return sdk.AuthenticateResponse{}, invalid("no login is needed here: Pawl reads the models' keys from its environment (pawl doctor says which)")
}

// NewSession implements sdk.Agent.
func (e *editor) NewSession(_ context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	s, err := e.open(r.Cwd, "", r.McpServers)
	if err != nil {
		return sdk.NewSessionResponse{}, err
	}
	s.follow(false)
	e.answers.add(s.id(), s.announce)
	return sdk.NewSessionResponse{SessionId: s.id(), Modes: s.modes(), ConfigOptions: s.configOptions()}, nil
}

// LoadSession implements sdk.AgentLoader. It sends the history before it returns.
func (e *editor) LoadSession(ctx context.Context, r sdk.LoadSessionRequest) (sdk.LoadSessionResponse, error) {
	s, err := e.take(ctx, r.Cwd, r.SessionId, r.McpServers, true)
	if err != nil {
		return sdk.LoadSessionResponse{}, err
	}
	return sdk.LoadSessionResponse{Modes: s.modes(), ConfigOptions: s.configOptions()}, nil
}

// ResumeSession implements sdk.Agent. It does not send the history.
func (e *editor) ResumeSession(ctx context.Context, r sdk.ResumeSessionRequest) (sdk.ResumeSessionResponse, error) {
	s, err := e.take(ctx, r.Cwd, r.SessionId, r.McpServers, false)
	if err != nil {
		return sdk.ResumeSessionResponse{}, err
	}
	return sdk.ResumeSessionResponse{Modes: s.modes(), ConfigOptions: s.configOptions()}, nil
}

// ListSessions implements sdk.Agent. It returns all sessions at once, without a cursor.
func (e *editor) ListSessions(ctx context.Context, r sdk.ListSessionsRequest) (sdk.ListSessionsResponse, error) {
	folder := ""
	if r.Cwd != nil {
		folder = *r.Cwd
	}
	found, err := e.options.List(ctx, folder)
	if err != nil {
		return sdk.ListSessionsResponse{}, broken(err)
	}
	list := sdk.ListSessionsResponse{Sessions: []sdk.SessionInfo{}}
	for _, one := range found {
		list.Sessions = append(list.Sessions, sdk.SessionInfo{
			SessionId: sdk.SessionId(one.ID), Cwd: one.Folder, Title: sdk.Ptr(string(sanitize.Line(one.Title))),
			UpdatedAt: sdk.Ptr(one.Updated.UTC().Format(time.RFC3339)),
		})
	}
	return list, nil
}

// CloseSession implements sdk.Agent.
func (e *editor) CloseSession(_ context.Context, r sdk.CloseSessionRequest) (sdk.CloseSessionResponse, error) {
	s, err := e.release(r.SessionId)
	if err != nil {
		return sdk.CloseSessionResponse{}, err
	}
	defer e.busy.Done()
	s.close(lifecycle.CauseQuit)
	return sdk.CloseSessionResponse{}, nil
}

// Prompt implements sdk.Agent. It ignores its context: the SDK ends that when a second prompt
// comes, which here waits for the next step.
func (e *editor) Prompt(_ context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	s, err := e.find(r.SessionId)
	if err != nil {
		e.placed <- struct{}{}
		return sdk.PromptResponse{}, err
	}
	t := s.place()
	e.placed <- struct{}{}
	reason, err := s.prompt(e.ctx, t, r.Prompt)
	return sdk.PromptResponse{StopReason: reason, UserMessageId: r.MessageId}, err
}

// Cancel implements sdk.Agent. It stops the parent and the subagents that it waits for, as
// Ctrl+C does on the screen. The prompt ends when they have ended.
func (e *editor) Cancel(ctx context.Context, r sdk.CancelNotification) error {
	s, err := e.find(r.SessionId)
	if err != nil {
		return err
	}
	return s.stop(ctx)
}

// open opens a session that this connection does not have yet.
func (e *editor) open(folder, id string, servers []sdk.McpServer) (*session, error) {
	if !filepath.IsAbs(folder) {
		return nil, invalid("cwd %q: must be the full path of a folder", folder)
	}
	given, err := serversOf(servers)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, broken(lifecycle.ErrClosing)
	}
	e.busy.Add(1)
	e.mu.Unlock()
	defer e.busy.Done()
	opened, err := e.options.Open(e.ctx, Opening{Folder: filepath.Clean(folder), Session: id, Servers: given})
	if err != nil {
		return nil, unopened(err)
	}
	s := newSession(e.ctx, e.client, opened, e.options)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sessions[opened.Snapshot.Root] = s
	return s, nil
}

// take returns a stored session, opening it if this connection does not have it yet, and
// follows it from here on; with history, that is sent first.
func (e *editor) take(ctx context.Context, folder string, id sdk.SessionId, servers []sdk.McpServer, history bool) (*session, error) {
	s, err := e.find(id)
	if err != nil {
		s, err = e.open(folder, string(id), servers)
	}
	if err != nil {
		return nil, err
	}
	if err := s.wait(ctx, s.follow(history)); err != nil {
		return s, err
	}
	s.mu.Lock()
	s.announced = nil // whoever loads it may not have been told
	s.mu.Unlock()
	s.announce()
	return s, nil
}

func (e *editor) find(id sdk.SessionId) (*session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, open := e.sessions[lifecycle.SessionID(id)]
	if !open {
		return nil, notOpen(id)
	}
	return s, nil
}

// release removes a session from the table for the one caller that closes it, and counts that as
// busy.
func (e *editor) release(id sdk.SessionId) (*session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, broken(lifecycle.ErrClosing)
	}
	s, open := e.sessions[lifecycle.SessionID(id)]
	if !open {
		return nil, notOpen(id)
	}
	delete(e.sessions, s.Snapshot.Root)
	e.busy.Add(1)
	return s, nil
}

func notOpen(id sdk.SessionId) error {
	return invalid("session %q is not open here: load it, or begin a new one", id)
}

// closeAll closes all sessions in parallel and lets no more be opened.
func (e *editor) closeAll(cause lifecycle.Cause) {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.busy.Wait()
	var all sync.WaitGroup
	for _, s := range e.sessions { // nobody adds or removes one any more
		all.Go(func() { s.close(cause) })
	}
	all.Wait()
}
