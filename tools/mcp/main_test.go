package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/internal/launch"
	"pawl/lifecycle"
	"pawl/tools/process"
)

// roleServer makes the test binary a server; its value is the scene that it plays.
const roleServer = "MCP_TEST_SERVER"

func TestMain(m *testing.M) {
	launch.Main()
	if scene, is := os.LookupEnv(roleServer); is {
		play(scene)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play is a server over standard input and output.
func play(scene string) {
	switch scene {
	case "silent": // it reads, and never answers
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "dying":
		fmt.Fprintln(os.Stderr, "first words\n\x1b[31mthe token is missing\x1b[m")
		os.Exit(7)
	case "noisy": // it greets, logs and warns where messages go, and answers all the same
		noisily()
		return
	case "slow":
		waitFor(os.Getenv("GATE"))
	case "babbling":
		fmt.Println("Server is listening, have fun!")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "flooding":
		fmt.Fprint(os.Stderr, strings.Repeat("sand and more sand\n", 200_000), "the last grain\n")
	}
	ears := &ears{ReadCloser: os.Stdin}
	if err := serverOf(scene, ears).Run(context.Background(), &sdk.IOTransport{Reader: ears, Writer: os.Stdout}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if scene == "lingering" {
		select {} // the end of its input means nothing to it
	}
}

// ears are an input that can stop being read.
type ears struct {
	io.ReadCloser
	deaf atomic.Bool
}

func (e *ears) Read(p []byte) (int, error) {
	if e.deaf.Load() {
		select {}
	}
	return e.ReadCloser.Read(p)
}

// serverOf is a server with a tool for each way in which a call can go.
func serverOf(scene string, ears *ears) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "scene"}, &sdk.ServerOptions{PageSize: 3, Instructions: instructionsOf(scene)})
	add := func(name string, do func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)) {
		s.AddTool(&sdk.Tool{Name: name, Description: "does " + name, InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)}, do)
	}
	text := func(words string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: words}}}
	}
	add("echo", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text("heard " + string(r.Params.Arguments)), nil
	})
	add("environ", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(strings.Join(os.Environ(), "\n")), nil
	})
	add("all", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.TextContent{Text: "look:"},
			&sdk.ImageContent{MIMEType: "image/png", Data: []byte("a picture")},
			&sdk.ImageContent{MIMEType: "image/svg+xml", Data: []byte("<svg/>")},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///notes", Text: "the notes"}},
			&sdk.ResourceLink{URI: "file:///more", Name: "more"},
		}, StructuredContent: map[string]any{"unseen": true}}, nil
	})
	add("structured", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"sum": 3}}, nil
	})
	add("fail", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		r := text("the disk is full")
		r.IsError = true
		return r, nil
	})
	add("refuse", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, fmt.Errorf("not\ntoday")
	})
	add("die", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "I fall")
		os.Exit(3)
		return nil, nil
	})
	add("wait", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Message: "half\nway", Progress: 1})
		<-ctx.Done()
		fmt.Fprintln(os.Stderr, "I was told to stop")
		return nil, ctx.Err()
	})
	add("ignore", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 3, Total: 8})
		select {}
	})
	add("plod", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for range 60 {
			<-time.After(100 * time.Millisecond) // longer in all than the limit of the call
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1})
		}
		return text("there at last"), nil
	})
	add("elicit", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Delete\n\x1b[2J all?", RequestedSchema: r.Params.Arguments})
		if err != nil {
			return nil, err
		}
		said, err := json.Marshal(answer)
		return text(string(said)), err
	})
	add("roots", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		roots, err := r.Session.ListRoots(ctx, nil) //nolint:staticcheck // servers of today ask for them
		if err != nil {
			return nil, err
		}
		return text(roots.Roots[0].URI), nil
	})
	add("deafen", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ears.deaf.Store(true)
		return text("I hear no more"), nil
	})
	add("grow", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		add("grown", nil)
		return text("I have grown"), nil
	})
	addExtras(s, scene)
	if scene == "hostile" {
		s.AddTool(&sdk.Tool{Name: "echo\x1b]0;x\x07 " + strings.Repeat("long", 40), Description: strings.Repeat("漢", 5000), InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	}
	return s
}

// itself is a server of that scene, over pipes.
func itself(t *testing.T, name, scene string) Spec {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return Spec{Name: name, From: "config.toml", Command: []string{path}, Env: map[string]string{roleServer: scene}}
}

// housed starts servers, and ends them with the test.
func housed(t *testing.T, specs ...Spec) *Servers {
	t.Helper()
	s := New(Options{Folder: t.TempDir(), Launcher: &process.Launcher{}, StartLimit: patience, Environ: []string{"GIVEN=from outside", "ANTHROPIC_API_KEY=sk-secret"}, Withheld: []string{"ANTHROPIC_API_KEY"}})
	t.Cleanup(s.Close)
	s.wait = patience
	s.Start(specs...)
	return s
}

// patience is far beyond what anything takes.
const patience = 45 * time.Second

// find is a tool of the servers, by the name that models know.
func find(t *testing.T, s *Servers, name string) agent.Tool {
	t.Helper()
	for _, tool := range s.Tools(t.Context()) {
		if tool.Spec.Name == name {
			return tool
		}
	}
	require.Failf(t, "no such tool", "%s; the servers are %+v", name, s.Status())
	return agent.Tool{}
}

// ask makes a call.
func ask(ctx context.Context, tool agent.Tool, input string, tell func(string)) agent.Result {
	return tool.Run(ctx, agent.Invocation{Call: lifecycle.NewCallID(), Input: json.RawMessage(input), Progress: tell})
}

// until waits for the servers to be in a state.
func until(t *testing.T, s *Servers, is func([]Status) bool) []Status {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var last []Status
	found := false
	s.Watch(ctx, func(all []Status) {
		last = all
		if is(all) {
			found = true
			cancel()
		}
	})
	require.True(t, found, "%+v", last)
	return last
}

func launched() *process.Launcher { return &process.Launcher{} }

func invoked(input string) agent.Invocation { return agent.Invocation{Input: json.RawMessage(input)} }
