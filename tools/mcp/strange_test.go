package mcp

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// noisily is a server that writes what is no message before, between and behind its
// messages, two of which come in one array.
func noisily() {
	fmt.Println("Server is listening, have fun!\r")
	fmt.Println(`{"level":"info","msg":"a log in JSON"}`)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var asked struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(in.Bytes(), &asked)
		fmt.Printf("[INFO] %s\nnull\n17\n\"words\"\n\n\xff\xfe\n{\"jsonrpc\":\"1.0\"}\n{\"jsonrpc\":\n[]\n", asked.Method)
		results := map[string]string{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"noisy","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"look","inputSchema":{"type":"object"}},{"name":"later","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},{"name":"either","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}`,
			"tools/call": `{"content":[{"type":"text","text":"seen"}]}`,
		}
		if result, known := results[asked.Method]; known {
			fmt.Printf("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}},{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}]\n", asked.ID, result)
		}
	}
}

// waitFor returns when somebody opens the pipe of that name to write.
func waitFor(gate string) {
	if file, err := os.Open(gate); err == nil {
		file.Close()
	}
}

// instructionsOf is what a server says of itself.
func instructionsOf(scene string) string {
	if scene == "instructing" {
		return "  Call echo first.\n\x1b]0;owned\x07Then \u202erest.\n" + strings.Repeat("x", 5000)
	}
	return ""
}

func TestLinesThatAreNoMessagesCostAServerNothing(t *testing.T) {
	s := housed(t, itself(t, "one", "noisy"))
	require.Equal(t, "seen", ask(t.Context(), find(t, s, "mcp__one__look"), `{}`, nil).Text)
	status := s.Status()[0]
	require.Equal(t, Ready, status.State)
	require.GreaterOrEqual(t, status.Noise, 2+4*8)
	require.Equal(t, "Server is listening, have fun!", status.First)
}

func TestALineWithoutAnEndIsNoMemoryWithoutAnEnd(t *testing.T) {
	long := Spec{Name: "long", Command: []string{"sh", "-c", "tr '\\0' x < /dev/zero"}}
	s := housed(t, long)
	s.Settled(t.Context())
	require.Contains(t, s.Status()[0].Why, `it wrote something to standard output that is not a message: "xxx`)
}

func TestToolsThatNeedTasksAreLeftOutAndNamed(t *testing.T) {
	s := housed(t, itself(t, "one", "noisy"))
	find(t, s, "mcp__one__either")
	require.Equal(t, []string{"later"}, s.Status()[0].Tasks)
	require.Equal(t, 2, s.Status()[0].Tools)
}

func TestToolsThatNeedTasksAreLeftOutOverHTTPToo(t *testing.T) {
	for name, form := range map[string]string{"application/json": "%s", "text/event-stream": "event: message\ndata: %s\n\n"} {
		t.Run(name, func(t *testing.T) {
			spec := loopback(t, func(w http.ResponseWriter, r *http.Request) bool {
				body := &strings.Builder{}
				_, _ = bufio.NewReader(r.Body).WriteTo(body)
				r.Body = http.NoBody
				var asked struct {
					ID     json.RawMessage `json:"id"`
					Method string          `json:"method"`
				}
				_ = json.Unmarshal([]byte(body.String()), &asked)
				results := map[string]string{
					"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"web","version":"1"}}`,
					"tools/list": `{"tools":[{"name":"look","inputSchema":{"type":"object"}},{"name":"later","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`,
				}
				result, known := results[asked.Method]
				if !known {
					w.WriteHeader(http.StatusAccepted)
					return true
				}
				w.Header().Set("Content-Type", name)
				fmt.Fprintf(w, form, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result))
				return true
			})
			s := housed(t, spec)
			find(t, s, "mcp__web__look")
			require.Equal(t, []string{"later"}, s.Status()[0].Tasks)
			require.Equal(t, 1, s.Status()[0].Tools)
		})
	}
}

func TestAServerHasAStartTimeoutOfItsOwn(t *testing.T) {
	spec := itself(t, "silent", "silent")
	spec.Start = 300 * time.Millisecond
	s := housed(t, spec)
	down := until(t, s, func(all []Status) bool { return all[0].State == Down })
	require.Equal(t, "it did not answer within 300ms of its start", down[0].Why)
}

func TestWhereNobodyWatchesARunWaitsForASlowServerAndSaysSo(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	open := func([]string, time.Duration) {
		file, err := os.OpenFile(gate, os.O_WRONLY, 0)
		require.NoError(t, err)
		file.Close()
	}
	var told []string
	s := New(Options{Folder: t.TempDir(), Launcher: launched(), Wait: true, Late: func(names []string, longest time.Duration) {
		told = append(told, names...)
		require.Equal(t, unwatchedStartLimit, longest)
		open(names, longest)
	}})
	defer s.Close()
	s.wait = time.Millisecond
	spec := itself(t, "slow", "slow")
	spec.Env["GATE"] = gate
	s.Start(spec)
	find(t, s, "mcp__slow__echo")
	require.Equal(t, []string{"slow"}, told)
}

func TestAServerThatARunBeganWithoutIsNamedUntilItIsThere(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	s := New(Options{Folder: t.TempDir(), Launcher: launched(), StartLimit: patience})
	defer s.Close()
	s.wait = time.Millisecond
	spec := itself(t, "slow", "slow")
	spec.Env["GATE"] = gate
	s.Start(spec)
	require.Empty(t, s.Tools(t.Context()))
	require.True(t, s.Status()[0].Missed)
	file, err := os.OpenFile(gate, os.O_WRONLY, 0)
	require.NoError(t, err)
	file.Close()
	require.False(t, until(t, s, func(all []Status) bool { return all[0].State == Ready })[0].Missed)
}

func TestACallThatSaysHowFarItIsMayTakeLongerThanItsLimit(t *testing.T) {
	t.Parallel()
	spec := itself(t, "one", "")
	spec.Limit = 5 * time.Second
	s := housed(t, spec)
	require.Equal(t, "there at last", ask(t.Context(), find(t, s, "mcp__one__plod"), `{}`, nil).Text)
}

func TestAServerIsToldWhichFolderItWorksFor(t *testing.T) {
	s := housed(t, itself(t, "one", ""))
	require.Equal(t, "file://"+s.options.Folder, ask(t.Context(), find(t, s, "mcp__one__roots"), `{}`, nil).Text)
}

func TestInstructionsOfAServerAreBoundedAndClean(t *testing.T) {
	s := housed(t, itself(t, "one", "instructing"), itself(t, "two", ""))
	all := s.Tools(t.Context())
	said := s.Instructions(all)
	require.Len(t, said, 1)
	require.Equal(t, "one", said[0].By)
	require.True(t, strings.HasPrefix(said[0].Text, "Call echo first.\n"), said[0].Text[:80])
	require.NotContains(t, said[0].Text, "\x1b")
	require.NotContains(t, said[0].Text, "\u202e")
	require.Len(t, []rune(said[0].Text), longestInstructions)
	require.Empty(t, s.Instructions(nil), "who has none of its tools is told nothing")
}

func TestTextThatComesAsBytesIsText(t *testing.T) {
	for kind, want := range map[string]string{
		"text/x-go; charset=utf-8": "[file:///a]\nwords", "application/json": "[file:///a]\nwords", "image/svg+xml": "[file:///a]\nwords",
		"application/x-sh": "[file:///a]\nwords", "application/pdf": "[file:///a: application/pdf, 5 bytes, no text]", "": "[file:///a: , 5 bytes, no text]",
	} {
		encoded := fmt.Sprintf(`{"type":"resource","resource":{"uri":"file:///a","mimeType":%q,"blob":%q}}`, kind, base64.StdEncoding.EncodeToString([]byte("words")))
		var result sdk.CallToolResult
		require.NoError(t, json.Unmarshal([]byte(`{"content":[`+encoded+`]}`), &result))
		require.Equal(t, want, resultOf(&result).Text, kind)
	}
	binary := &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Blob: []byte{0xff, 0xfe}}}
	require.Contains(t, resultOf(&sdk.CallToolResult{Content: []sdk.Content{binary}}).Text, "2 bytes, no text")
	picture := &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", MIMEType: "image/png", Blob: []byte("a picture")}}
	require.Equal(t, []agent.Image{{MediaType: "image/png", Data: []byte("a picture")}}, resultOf(&sdk.CallToolResult{Content: []sdk.Content{picture}}).Images)
}

func TestAPictureOfAServerThatIsTooWideForModelsIsGivenToNone(t *testing.T) {
	var wide bytes.Buffer
	require.NoError(t, png.Encode(&wide, image.NewGray(image.Rect(0, 0, 1, agent.WidestImage+1))))
	result := resultOf(&sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "image/png", Data: wide.Bytes()}}})
	require.Empty(t, result.Images)
	require.Equal(t, fmt.Sprintf("[a picture that cannot be shown: image/png, %d bytes, 1×8001 pixels, models take up to 8000 on a side: make it smaller first]", wide.Len()), result.Text)
}
