//go:build unix

package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Object is one of JSON.
type Object = map[string]any

// Chromium is a headless browser with one page, for one goroutine. It is spoken to over two pipes, so
// no port is open; a message is a JSON object with a zero byte behind it.
type Chromium struct {
	t       testing.TB
	to      *os.File
	from    *bufio.Reader
	session string // of the page
	id      int
	heard   []chromiumSaid // what it said unasked
}

// chromiumSaid is an event, or the answer to the request with this id.
type chromiumSaid struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// New starts one that ends with the test, and after ten minutes at the latest.
func New(t testing.TB) *Chromium {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" {
		t.Skip("there is no Chromium here to look at the page with: apt-get install -y chromium")
	}
	theirs, to, err := os.Pipe()
	require.NoError(t, err)
	from, out, err := os.Pipe()
	require.NoError(t, err)
	home, err := os.MkdirTemp("", "pawl-chromium")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--window-size=1200,900", "--remote-debugging-pipe", "--user-data-dir="+home)
	cmd.ExtraFiles = []*os.File{theirs, out}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	require.NoError(t, cmd.Start())
	_, _ = theirs.Close(), out.Close()
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
		_, _ = to.Close(), from.Close()
		_ = os.RemoveAll(home)
	})
	c := &Chromium{t: t, to: to, from: bufio.NewReader(from)}
	var target struct{ TargetID, SessionID string }
	c.Do("Target.createTarget", Object{"url": "about:blank"}, &target)
	c.Do("Target.attachToTarget", Object{"targetId": target.TargetID, "flatten": true}, &target)
	c.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		c.Do(domain+".enable", nil, nil)
	}
	return c
}

// Do makes a request and waits for its answer.
func (c *Chromium) Do(method string, params Object, answer any) {
	c.t.Helper()
	c.id++
	message := Object{"id": c.id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if c.session != "" {
		message["sessionId"] = c.session
	}
	encoded, err := json.Marshal(message)
	require.NoError(c.t, err)
	_, err = c.to.Write(append(encoded, 0))
	require.NoError(c.t, err)
	for {
		said := c.next()
		if said.ID != c.id {
			continue
		}
		require.Empty(c.t, string(said.Error), method)
		if answer != nil {
			require.NoError(c.t, json.Unmarshal(said.Result, answer))
		}
		return
	}
}

// next reads one message, and keeps it if it is an event.
func (c *Chromium) next() (said chromiumSaid) {
	c.t.Helper()
	raw, err := c.from.ReadBytes(0)
	require.NoError(c.t, err, "Chromium went away")
	require.NoError(c.t, json.Unmarshal(raw[:len(raw)-1], &said))
	if said.Method != "" {
		c.heard = append(c.heard, said)
	}
	return said
}

// Open shows a page, and waits until it is there.
func (c *Chromium) Open(page []byte) {
	c.t.Helper()
	path := filepath.Join(c.t.TempDir(), "session.html")
	require.NoError(c.t, os.WriteFile(path, page, 0o600))
	c.OpenFile(path)
}

// OpenFile shows the page in a file, and waits until it is there.
func (c *Chromium) OpenFile(path string) {
	c.t.Helper()
	c.heard = nil
	c.Do("Page.navigate", Object{"url": (&url.URL{Scheme: "file", Path: path}).String()}, nil)
	for !c.Said("Page.loadEventFired") {
		c.next()
	}
}

// Show shows pages in a colour scheme, "light" or "dark", on a medium, "screen" or "print", so many
// pixels wide.
func (c *Chromium) Show(scheme, medium string, width int) {
	c.t.Helper()
	c.Do("Emulation.setEmulatedMedia", Object{"media": medium, "features": []Object{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	c.Do("Emulation.setDeviceMetricsOverride", Object{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Said reports whether the browser told of such an event since the page was opened.
func (c *Chromium) Said(method string) bool {
	for _, one := range c.heard {
		if one.Method == method {
			return true
		}
	}
	return false
}

// Ask evaluates an expression in the page.
func (c *Chromium) Ask(expression string, answer any) {
	c.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	c.Do("Runtime.evaluate", Object{"expression": expression, "returnByValue": true, "awaitPromise": true}, &got)
	require.Empty(c.t, string(got.ExceptionDetails), expression)
	if answer != nil {
		require.NoError(c.t, json.Unmarshal(got.Result.Value, answer), expression)
	}
}

// Await waits until something holds in the page, a frame after another. Before the
// first frame a browser drops what is typed.
func (c *Chromium) Await(condition string) {
	c.t.Helper()
	var holds bool
	c.Ask(`new Promise(done => {
		setTimeout(() => done(false), 20000);
		const look = () => (`+condition+`) ? done(true) : requestAnimationFrame(look);
		requestAnimationFrame(() => requestAnimationFrame(look));
	})`, &holds)
	require.True(c.t, holds, condition)
}

// Press presses a key and lets it go.
func (c *Chromium) Press(key string, code int) {
	c.t.Helper()
	text := ""
	if key == "Enter" {
		text = "\r"
	}
	c.Do("Input.dispatchKeyEvent", Object{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}, nil)
	c.Do("Input.dispatchKeyEvent", Object{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// RequireCalm finds nothing in what the browser said that a page of ours may cause:
// no complaint, no dialog, no error, and no request but that for the page itself.
func (c *Chromium) RequireCalm() {
	c.t.Helper()
	c.RequireQuiet()
	require.LessOrEqual(c.t, len(c.Requests()), 1)
}

// RequireQuiet is RequireCalm for a page of several files.
func (c *Chromium) RequireQuiet() {
	c.t.Helper()
	for _, one := range c.heard {
		switch one.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening", "Page.windowOpen":
			c.t.Error(fmt.Sprint(one.Method, " ", string(one.Params)))
		}
	}
}

// Requests are the addresses of all that was asked for since the page was opened.
func (c *Chromium) Requests() (all []string) {
	c.t.Helper()
	for _, one := range c.heard {
		if one.Method == "Network.requestWillBeSent" {
			var sent struct{ Request struct{ URL string } }
			require.NoError(c.t, json.Unmarshal(one.Params, &sent))
			all = append(all, sent.Request.URL)
		}
	}
	return all
}
