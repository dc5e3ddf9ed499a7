package bench

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

var growthFile = flag.String("growth", "", "write the plots of BenchmarkGrowth to this file, as SVG")

// BenchmarkGrowth measures what an act costs as the work around it grows: a plot each, the medians of three
// runs a point where a run is short. What stands for long is in scale_test.go. The figures are kept beside the
// picture, so that parts which -bench leaves out are drawn as they were measured before, or said to be missing.
func BenchmarkGrowth(b *testing.B) {
	kept, file := map[string]plot{}, strings.TrimSuffix(*growthFile, ".svg")+".json"
	if text, err := os.ReadFile(file); err == nil { // else this is the first time
		require.NoError(b, json.Unmarshal(text, &kept))
	}
	var drawn []plot
	for _, part := range []struct {
		name    string
		measure func(*testing.B) plot
	}{
		{"tokens", growthOfTokens},
		{"records", growthOfRecords},
		{"sessions", growthOfSessions},
		{"subagents", growthOfSubagents},
		{"tools", growthOfTools},
		{"screens", growthOfScreens},
		{"thousand/slots=5", growthThroughSlots(5)},
		{"thousand/slots=50", growthThroughSlots(50)},
		{"runs", growthOfRuns},
		{"day", growthOfADay},
		{"speech", growthOfSpeech},
	} {
		b.Run(part.name, func(b *testing.B) { kept[part.name] = part.measure(b) })
		grown, measured := kept[part.name]
		if !measured {
			grown = plot{X: part.name, Missing: "-bench left it out"}
		}
		drawn = append(drawn, grown)
	}
	b.Logf("\n%s", tableOf(drawn))
	if *growthFile != "" {
		text, err := json.Marshal(kept)
		require.NoError(b, err)
		require.NoError(b, os.WriteFile(file, text, 0o600))
		require.NoError(b, os.WriteFile(*growthFile, []byte(drawPlots(drawn)), 0o600))
	}
}

// median3 is the median of three measurements.
func median3(measure func() float64) float64 {
	return percentile([]float64{measure(), measure(), measure()}, 0.5)
}

// growthOfTokens is a token of an answer of 20,000, behind others.
func growthOfTokens(b *testing.B) plot {
	p := modeltest.Protocols()[2] // in which writeTurns writes
	answer := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(20000), "\n\n"+lastLine)})}
	cost := curve{Name: "processor time of a token, µs"}
	for _, answers := range []int{0, 100, 200, 400, 800} {
		home := b.TempDir()
		writeTurns(b, home, max(1, answers), strings.Join(tokens(500), ""))
		cost.add(float64(answers*500), median3(func() float64 {
			x := serveBench(b, p, func(benchAsked) benchAnswer { return answer }).open(b, copyHome(b, home), "--continue")
			defer x.leave()
			return float64(x.askFor(lastLine).work.Microseconds()) / 20000
		}))
	}
	return plot{X: "tokens of history", Curves: []curve{cost}}
}

// growthOfRecords is the first screen of a session, and a record of its export.
func growthOfRecords(b *testing.B) plot {
	server := serveBench(b, modeltest.Protocols()[0], nil)
	first, export := curve{Name: "first screen, ms"}, curve{Name: "a record's export, µs"}
	for _, records := range []int{2_000, 100_000, 250_000, 500_000, millionRecords} {
		home := b.TempDir()
		root := writeRecords(b, home, records)
		first.add(float64(records), median3(func() float64 {
			x := server.open(b, home, "--session", root)
			defer x.leave()
			return milliseconds(x.await("stale", x.await(alternateScreen, 0).end).at.Sub(x.begun))
		}))
		_, took := exportPeak(b, home, "export", root, "--format", "json", "--force", "-o", filepath.Join(home, "run.json"))
		export.add(float64(records), float64(took.Microseconds())/float64(records))
		require.NoError(b, os.RemoveAll(home))
	}
	return plot{X: "records of the session", Curves: []curve{first, export}}
}

// growthOfSessions is what a person does beside sessions that are there: a start, the list, the screen over
// all of them, and an attach to one that is at work.
func growthOfSessions(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	grown := plotOf("sessions in the database", "a start to a typed letter, ms", "pawl sessions, ms", "fleet: its first screen, ms", "attach to a session at work, ms")
	for _, sessions := range []int{1, 2500, 5000, 10_000} {
		slow := 100 * time.Millisecond
		server := serveBench(b, p, delegating(p, modeltest.Launch, 1, modeltest.Spell(p, modeltest.Reply{Text: tokens(6000)}), nil, &slow))
		home := homeOfHosts(b)
		writeSessions(b, home, sessions, "One answer.")
		start := median3(func() float64 {
			x := server.open(b, home)
			defer x.leave()
			x.press(benchLetter)
			return milliseconds(x.await(benchLetter, x.await(alternateScreen, 0).end).at.Sub(x.begun))
		})
		list := median3(func() float64 { return runFor(b, server.environ(home), benchFolder(b), "sessions") })
		server.begin(b, home, 1).detach()
		fleet := median3(func() float64 {
			x := openTube(b, benchFolder(b), server.environ(home), "fleet")
			defer x.leave()
			return milliseconds(x.await(" sessions", x.await(alternateScreen, 0).end).at.Sub(x.begun))
		})
		attach := median3(func() float64 {
			x := server.attach(b, home)
			defer x.detach()
			return milliseconds(x.await(" slots", x.await(alternateScreen, 0).end).at.Sub(x.begun))
		})
		grown.sample(float64(sessions), start, list, fleet, attach)
		(&harness.Stage{Home: home}).EndHosts(b)
	}
	return grown
}

// growthOfSubagents is one answer that asks for so many in the background.
func growthOfSubagents(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	last, memory := curve{Name: "to the last one's request, ms"}, curve{Name: "memory of each, MiB"}
	for _, children := range []int{1, 5, 10, 20} {
		var each []float64
		last.add(float64(children), median3(func() float64 {
			server := serveBench(b, p, delegating(p, modeltest.Launch, children, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil))
			x := openTube(b, b.TempDir(), append(server.environ(b.TempDir()), "PAWL_SUBAGENTS_MAX_BACKGROUND=20"), "--model", p.Model)
			defer x.leave()
			x.askFor(lastLine)
			before := memoryOf(x.cmd.Process.Pid, "RssAnon")
			x.press("go" + harness.KeyEnter)
			var at time.Time
			for i := range children {
				at = server.await(b, false, i).at
			}
			x.settle(300 * time.Millisecond)
			each = append(each, (memoryOf(x.cmd.Process.Pid, "RssAnon")-before)/float64(children))
			return milliseconds(at.Sub(<-server.await(b, true, 1).said))
		}))
		memory.add(float64(children), percentile(each, 0.5))
	}
	return plot{X: "subagents of one answer", Curves: []curve{last, memory}}
}

// growthOfTools is one word, asked for without a screen, with tools of an MCP server
// offered beside Pawl's own.
func growthOfTools(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	word, size := curve{Name: "pawl -p, one word, ms"}, curve{Name: "its request, KB"}
	for _, tools := range []int{0, 50, 100, 200, 400} {
		home, dir := b.TempDir(), b.TempDir()
		var offered []string
		for i := range tools {
			offered = append(offered, fmt.Sprintf(`{"name":"tool_%d","description":"looks at the heap of stones number %[1]d","inputSchema":{"type":"object","properties":{"where":{"type":"string","description":"which one"}}}}`, i))
		}
		script := strings.Replace(harness.MCPScript, `{"name":"look","description":"looks","inputSchema":{"type":"object"}}`, strings.Join(offered, ","), 1)
		require.NoError(b, os.MkdirAll(filepath.Join(home, "config"), 0o700))
		require.NoError(b, os.WriteFile(filepath.Join(home, "server.sh"), []byte(script), 0o600))
		settings := fmt.Sprintf("[mcp.disk]\ncommand = [\"sh\", %q]\nenv = {MARK = \"/dev/null\"}\n", filepath.Join(home, "server.sh"))
		if tools > 0 {
			require.NoError(b, os.WriteFile(filepath.Join(home, "config", "config.toml"), []byte(settings), 0o600))
		}
		answer := modeltest.Spell(p, modeltest.Reply{Text: []string{"yes"}})
		var bytes float64
		server := serveBench(b, p, func(a benchAsked) benchAnswer {
			bytes = float64(len(a.body)) / 1000
			return benchAnswer{Spelt: answer}
		})
		word.add(float64(tools), median3(func() float64 {
			return runFor(b, server.environ(home), dir, "-p", "--model", p.Model, "ready?")
		}))
		size.add(float64(tools), bytes)
	}
	return plot{X: "tools of an MCP server", Curves: []curve{word, size}}
}

// runFor runs Pawl to its end and gives the milliseconds that it took.
func runFor(b *testing.B, env []string, dir string, args ...string) float64 {
	b.Helper()
	path, err := harness.Installed()
	require.NoError(b, err)
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Dir = env, dir
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, string(out))
	return milliseconds(time.Since(begun))
}
