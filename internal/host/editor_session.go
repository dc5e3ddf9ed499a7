package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"pawl/agent/sanitize"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/mcp"
	"pawl/ui"
	"pawl/ui/acp"
)

// Editor serves an editor until it disconnects. Its sessions are opened with these options;
// check returns an error if the options do not fit the models.
func Editor(ctx context.Context, o app.Options, w base.World, check func(*models.Set) error) (int, error) {
	if base.ReadsTerminal(w.In) {
		return system.ExitUsage, system.Usage("pawl acp speaks the Agent Client Protocol to the editor that starts it, not to a terminal: pawl help editors says how to set it up")
	}
	b, err := base.New(w) // for its log, which all sessions share
	if err != nil {
		return system.ExitError, err
	}
	defer b.Close()
	if err := check(b.Models); err != nil { // early, before the editor opens a session
		return system.ExitUsage, system.Usage(err.Error())
	}
	// If the editor is gone a write fails, which ends Pawl as the end of input does.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	w.Guard.Tell(guard.Session)
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop()
	sessions := &editorSessions{Base: b, world: w, options: o, driven: map[*app.Session]bool{}}
	sessions.world.Logged = true
	return acp.Serve(ctx, acp.Options{
		Open: sessions.open, List: sessions.list, Kinds: toolKinds(), Version: base.VersionText(),
		In: w.In, Out: w.Out, Hide: b.Models.Hide(), Signals: signals,
		Cause: func(code int) lifecycle.Cause {
			sessions.hurry()
			return signalled(code)
		},
	})
}

// editorSessions opens the sessions of an editor, all in this process.
type editorSessions struct {
	*base.Base
	world   base.World
	options app.Options

	mu     sync.Mutex
	driven map[*app.Session]bool
}

// hurry hurries the end of all of them.
func (l *editorSessions) hurry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for session := range l.driven {
		session.Hurry()
	}
}

// serve serves what comes to a session beside the editor. Calling end, once, ends that and closes it.
func (l *editorSessions) serve(ctx context.Context, o app.Options, w base.World, session *app.Session) (end func(lifecycle.Cause)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.driven[session] = true
	stop := serveBeside(ctx, "an editor", o, w, session)
	return func(cause lifecycle.Cause) {
		stop(cause)
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.driven, session)
	}
}

func (l *editorSessions) open(ctx context.Context, o acp.Opening) (*acp.Session, error) {
	w := l.world
	w.Folder = o.Folder
	options := l.options
	options.Session, options.Whole, options.Editor = o.Session, true, true
	opened, err := openScreen(ctx, w, options)
	if err != nil {
		return nil, err
	}
	h, end := &screen{Session: opened}, opened.Close
	if o.Session != "" && o.Session != string(h.Root) {
		end(lifecycle.CauseProcessEnd)
		return nil, fmt.Errorf("no session %q: write its full id", o.Session)
	}
	end = l.serve(ctx, options, w, opened)
	h.Servers.Start(editorServers(o.Servers)...)
	return &acp.Session{
		Route: h.Supervisor, Snapshot: h.Snapshot, Folder: w.Folder, Notices: h.acpNotices, Commands: h.acpCommands,
		Modes: acp.Choice{
			All: acpModes(), Now: func() string { return string(h.Choices.Mode()) },
			Set: func(_ context.Context, name string) error { return h.setMode(name) },
		},
		Models: acp.Choice{
			All: acpModels(h.listModels(ctx, false)), Now: h.Choices.Model,
			Set: func(ctx context.Context, name string) error {
				_, err := h.setModel(ctx, name)
				return err
			},
		},
		Picture: keepPicture, Close: end,
	}, nil
}

// acpNotices are what the user has to know: that a model is the demo or lacks a key, and what is
// not used, and why.
func (h *screen) acpNotices() []string {
	var lines []string
	model := h.Choices.Model()
	if model == models.Demo {
		lines = append(lines, "this is the scripted demo, which does not think: set a model's key in the environment of pawl acp, and see pawl doctor")
	}
	if why := h.Models.Unready(model); why != "" {
		lines = append(lines, why)
	}
	if left := h.Project.NotTrusted(); left != "" {
		lines = append(lines, "left out "+left)
	}
	for _, more := range []string{h.Project.Unusable(), app.BadTypes(h.Types), h.Foreign(context.Background())} {
		if more != "" {
			lines = append(lines, more)
		}
	}
	for _, server := range h.Servers.Status() {
		if server.State == mcp.Down {
			lines = append(lines, fmt.Sprintf("the MCP server %s of %s is down: %s", server.Name, server.From, server.Why))
		}
	}
	return lines
}

// acpCommands are the commands of files, skills and servers, and Pawl's own that are texts.
func (h *screen) acpCommands() []acp.Command {
	var all []acp.Command
	for _, c := range h.TypedCommands() {
		all = append(all, acp.Command{Name: c.Name, Description: c.Description, Hint: c.Hint})
	}
	return all
}

func (l *editorSessions) list(ctx context.Context, folder string) ([]acp.Listed, error) {
	b, err := base.Open(ctx, l.world, store.Options{ReadOnly: true})
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer b.Close()
	found, err := b.Store.Sessions(ctx, store.Filter{RootsOnly: true, Folder: folder})
	if err != nil {
		return nil, err
	}
	var list []acp.Listed
	for _, s := range found {
		list = append(list, acp.Listed{ID: s.ID, Folder: s.Folder, Title: s.Title, Updated: s.Updated})
	}
	return list, nil
}

// editorServers are the MCP servers that the user has configured in the editor.
func editorServers(given []acp.Server) []mcp.Spec {
	var specs []mcp.Spec
	for _, s := range given {
		spec := mcp.Spec{Name: s.Name, From: "the editor", Command: s.Command, URL: s.URL, Env: s.Env, Headers: s.Headers}
		if err := mcp.CheckName(s.Name); err != nil {
			spec.Wrong = err.Error()
		}
		specs = append(specs, spec)
	}
	return specs
}

func acpModes() []acp.Option {
	var all []acp.Option
	for _, mode := range modesSaid() {
		all = append(all, acp.Option{Name: mode.Name, Means: mode.Means})
	}
	return all
}

func acpModels(known ui.Models) []acp.Option {
	var all []acp.Option
	for _, model := range known.Known {
		all = append(all, acp.Option{Name: model.Name, Means: string(sanitize.Line(model.Price))})
	}
	return all
}

// keepPicture writes a picture that has no file into a folder of its own, so that a message can
// name it until forget is called.
func keepPicture(mediaType string, data []byte) (path string, forget func(), err error) {
	_, ending, _ := strings.Cut(mediaType, "/")
	switch ending {
	case "png", "jpeg", "gif", "webp":
	default:
		return "", nil, fmt.Errorf("an image of the prompt is %s: models take png, jpeg, gif and webp", mediaType)
	}
	folder, err := os.MkdirTemp("", "pawl-picture-")
	if err != nil {
		return "", nil, fmt.Errorf("keep an image of the prompt: %w", err)
	}
	forget = func() { _ = os.RemoveAll(folder) } // temporary: the system removes it too
	path = filepath.Join(folder, "image."+ending)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		forget()
		return "", nil, fmt.Errorf("keep an image of the prompt: %w", err)
	}
	return path, forget, nil
}

// toolKinds maps Pawl's tools to the kinds by which editors choose an icon.
func toolKinds() map[string]acp.Kind {
	return map[string]acp.Kind{
		"read": acp.KindRead, "skill": acp.KindRead, "list": acp.KindSearch, "glob": acp.KindSearch, "grep": acp.KindSearch, "tool_search": acp.KindSearch,
		"edit": acp.KindEdit, "write": acp.KindEdit, "fetch": acp.KindFetch,
		"shell": acp.KindExecute, "shell_output": acp.KindExecute, "shell_kill": acp.KindExecute,
		"todo": acp.KindThink, "agent": acp.KindThink, "task": acp.KindThink,
		"agent_list": acp.KindThink, "agent_output": acp.KindThink, "agent_send": acp.KindThink, "agent_stop": acp.KindThink,
	}
}
