package bench

import (
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

// BenchmarkGrowth measures what an act costs as the work around it grows: five plots,
// the medians of three runs a point.
func BenchmarkGrowth(b *testing.B) {
	drawn := []plot{growthOfTokens(b), growthOfRecords(b), growthOfSessions(b), growthOfSubagents(b), growthOfTools(b)}
	for _, p := range drawn {
		for _, c := range p.curves {
			b.Logf("%s: %s: %v", p.x, c.name, c.points)
		}
	}
	if *growthFile != "" {
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
	cost := curve{name: "processor time of a token, µs"}
	for _, answers := range []int{0, 100, 200, 400, 800} {
		home := b.TempDir()
		writeTurns(b, home, max(1, answers), strings.Join(tokens(500), ""))
		cost.add(float64(answers*500), median3(func() float64 {
			x := serveBench(b, p, func(benchAsked) benchAnswer { return answer }).open(b, copyHome(b, home), "--continue")
			defer x.leave()
			return float64(x.askFor(lastLine).work.Microseconds()) / 20000
		}))
	}
	return plot{x: "tokens of history", curves: []curve{cost}}
}

// growthOfRecords is the first screen of a session, and a record of its export.
func growthOfRecords(b *testing.B) plot {
	server := serveBench(b, modeltest.Protocols()[0], nil)
	first, export := curve{name: "first screen, ms"}, curve{name: "a record's export, µs"}
	for _, records := range []int{2_000, 50_000, 100_000, 250_000, 500_000} {
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
	return plot{x: "records of the session", curves: []curve{first, export}}
}

// growthOfSessions is a start, and the list, beside sessions that are there.
func growthOfSessions(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	server := serveBench(b, p, nil)
	start, list := curve{name: "a start to a typed letter, ms"}, curve{name: "pawl sessions, ms"}
	for _, sessions := range []int{1, 250, 500, 1000, 2000} {
		home := b.TempDir()
		for range sessions {
			writeTurns(b, home, 1, "One answer.")
		}
		start.add(float64(sessions), median3(func() float64 {
			x := server.open(b, home)
			defer x.leave()
			x.press(benchLetter)
			return milliseconds(x.await(benchLetter, x.await(alternateScreen, 0).end).at.Sub(x.begun))
		}))
		list.add(float64(sessions), median3(func() float64 { return runFor(b, server.environ(home), benchFolder(b), "sessions") }))
	}
	return plot{x: "sessions in the database", curves: []curve{start, list}}
}

// growthOfSubagents is one answer that asks for so many in the background.
func growthOfSubagents(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	last, memory := curve{name: "to the last one's request, ms"}, curve{name: "memory of each, MiB"}
	for _, children := range []int{1, 5, 10, 20} {
		var each []float64
		last.add(float64(children), median3(func() float64 {
			server := serveBench(b, p, delegating(p, modeltest.Launch, children, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil))
			x := openTube(b, b.TempDir(), append(server.environ(b.TempDir()), "PAWL_SUBAGENTS_MAX_BACKGROUND=20"), "--model", p.Model)
			defer x.leave()
			x.askFor(lastLine)
			before := memoryOf(x.cmd.Process.Pid, "VmRSS")
			x.press("go" + harness.KeyEnter)
			var at time.Time
			for i := range children {
				at = server.await(b, false, i).at
			}
			x.settle(300 * time.Millisecond)
			each = append(each, (memoryOf(x.cmd.Process.Pid, "VmRSS")-before)/float64(children))
			return milliseconds(at.Sub(<-server.await(b, true, 1).said))
		}))
		memory.add(float64(children), percentile(each, 0.5))
	}
	return plot{x: "subagents of one answer", curves: []curve{last, memory}}
}

// growthOfTools is one word, asked for without a screen, with tools of an MCP server
// offered beside Pawl's own.
func growthOfTools(b *testing.B) plot {
	p := modeltest.Protocols()[0]
	word, size := curve{name: "pawl -p, one word, ms"}, curve{name: "its request, KB"}
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
	return plot{x: "tools of an MCP server", curves: []curve{word, size}}
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
