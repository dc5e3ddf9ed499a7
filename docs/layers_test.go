package docs

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path of the module, with a slash behind it. `make module` changes it.
var module = strings.TrimSuffix("pawl/docs", "docs")

// rooms says what each room may import of ours. The longest matching name counts.
var rooms = map[string][]string{
	"pawl/docs":                       {},
	"pawl/internal/guard":             {"pawl/internal/handover", "pawl/internal/system", "pawl/internal/regular"},
	"pawl/internal/handover":          {"pawl/internal/socket", "pawl/internal/system", "pawl/internal/tty"},
	"pawl/internal/front":             {"pawl/agent/sanitize", "pawl/agent/settings", "pawl/internal/fleet", "pawl/internal/guard", "pawl/internal/handover", "pawl/internal/socket", "pawl/internal/system", "pawl/internal/tty", "pawl/tools/process"},
	"pawl/internal/tty":               {},
	"pawl/internal/gittest":           {}, // for tests
	"pawl/internal/launch":            {},
	"pawl/lifecycle":                  {},
	"pawl/lifecycle/files":            {"pawl/lifecycle"},
	"pawl/lifecycle/lanes":            {"pawl/lifecycle"},
	"pawl/agent":                      {"pawl/lifecycle"},
	"pawl/agent/diff":                 {"pawl/agent"},
	"pawl/agent/sanitize":             {},
	"pawl/agent/mask":                 {"pawl/agent/sanitize"},
	"pawl/agent/permission":           {"pawl/agent"},
	"pawl/agent/permission/grants":    {"pawl/agent", "pawl/agent/permission", "pawl/lifecycle"},
	"pawl/agent/hook":                 {"pawl/agent", "pawl/internal/regular", "pawl/lifecycle"},
	"pawl/agent/settings":             {"pawl/agent/hook", "pawl/agent/permission", "pawl/internal/regular", "pawl/lifecycle"},
	"pawl/agent/frontmatter":          {"pawl/internal/regular"},
	"pawl/agent/commands":             {"pawl/agent", "pawl/agent/frontmatter", "pawl/agent/permission", "pawl/agent/sanitize", "pawl/agent/types", "pawl/lifecycle"},
	"pawl/agent/skills":               {"pawl/agent", "pawl/agent/commands", "pawl/agent/frontmatter", "pawl/agent/permission", "pawl/agent/sanitize", "pawl/agent/types", "pawl/lifecycle"},
	"pawl/agent/types":                {"pawl/agent", "pawl/agent/frontmatter", "pawl/agent/permission", "pawl/lifecycle"},
	"pawl/agent/anthropic":            {"pawl/agent", "pawl/agent/wire", "pawl/lifecycle"},
	"pawl/agent/openai":               {"pawl/agent", "pawl/agent/wire", "pawl/lifecycle"},
	"pawl/agent/chat":                 {"pawl/agent", "pawl/agent/wire", "pawl/lifecycle"},
	"pawl/agent/gemini":               {"pawl/agent", "pawl/agent/wire", "pawl/lifecycle"},
	"pawl/agent/wire":                 {"pawl/agent", "pawl/agent/mask", "pawl/lifecycle"},
	"pawl/agent/mask/masktest":        {},                                                                                    // for tests
	"pawl/agent/wire/wiretest":        {"pawl/agent", "pawl/internal/counttest", "pawl/internal/soaktest", "pawl/lifecycle"}, // for tests
	"pawl/agent/script":               {"pawl/agent", "pawl/lifecycle"},
	"pawl/agent/remote":               {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/internal/system", "pawl/lifecycle"},
	"pawl/tools":                      {"pawl/agent", "pawl/agent/diff", "pawl/agent/hook", "pawl/internal/system", "pawl/lifecycle", "pawl/tools/content", "pawl/tools/filestore", "pawl/tools/outputs", "pawl/tools/place", "pawl/tools/process", "pawl/tools/search", "pawl/tools/web", "pawl/tools/workspace"},
	"pawl/tools/search":               {"pawl/tools/content", "pawl/tools/process", "pawl/tools/workspace"},
	"pawl/tools/workspace":            {"pawl/internal/failpoint", "pawl/internal/regular", "pawl/lifecycle", "pawl/tools/filestore", "pawl/tools/outputs", "pawl/tools/place"},
	"pawl/tools/apply":                {"pawl/internal/failpoint", "pawl/internal/regular", "pawl/lifecycle", "pawl/tools/place"},
	"pawl/tools/place":                {},
	"pawl/tools/web":                  {"pawl/tools/content"},
	"pawl/tools/content":              {},
	"pawl/tools/process":              {"pawl/agent/mask", "pawl/internal/launch", "pawl/internal/system", "pawl/lifecycle", "pawl/tools/outputs", "pawl/tools/process/sandbox"},
	"pawl/tools/process/sandbox":      {"pawl/internal/launch", "pawl/internal/regular"},
	"pawl/tools/outputs":              {"pawl/internal/regular"},
	"pawl/tools/filestore":            {"pawl/internal/regular", "pawl/lifecycle"},
	"pawl/tools/folderwatch":          {"pawl/lifecycle", "pawl/tools/filestore", "pawl/tools/git", "pawl/tools/workspace"},
	"pawl/tools/git":                  {"pawl/internal/regular", "pawl/tools/process"},
	"pawl/tools/mcp":                  {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/internal/variables", "pawl/lifecycle", "pawl/tools/content", "pawl/tools/mcp/oauth", "pawl/tools/process"},
	"pawl/tools/mcp/oauth":            {"pawl/agent/mask", "pawl/internal/keys", "pawl/internal/regular", "pawl/internal/system"},
	"pawl/tools/mcp/serve":            {"pawl/agent/sanitize"},
	"pawl/store":                      {"pawl/internal/failpoint", "pawl/internal/regular", "pawl/lifecycle"},
	"pawl/internal/failpoint":         {},
	"pawl/internal/regular":           {},
	"pawl/internal/system":            {},
	"pawl/internal/socket":            {"pawl/internal/system"},
	"pawl/internal/fleet":             {"pawl/agent", "pawl/internal/socket", "pawl/lifecycle"},
	"pawl/internal/clipboard":         {"pawl/tools/content", "pawl/tools/process"},
	"pawl/internal/keys":              {"pawl/internal/system", "pawl/internal/regular"},
	"pawl/internal/instructions":      {"pawl/agent", "pawl/agent/sanitize", "pawl/internal/regular", "pawl/tools/git"},
	"pawl/internal/variables":         {},
	"pawl/internal/trust":             {"pawl/agent/permission", "pawl/agent/settings", "pawl/internal/system", "pawl/internal/regular"},
	"pawl/internal/worktree":          {"pawl/internal/regular", "pawl/lifecycle", "pawl/store", "pawl/tools/git"},
	"pawl/internal/landing":           {"pawl/agent/diff", "pawl/internal/failpoint", "pawl/internal/regular", "pawl/internal/worktree", "pawl/lifecycle", "pawl/tools/apply", "pawl/tools/git"},
	"pawl/internal/rewind":            {"pawl/lifecycle", "pawl/lifecycle/files"},
	"pawl/internal/models":            {"pawl/agent", "pawl/agent/anthropic", "pawl/agent/chat", "pawl/agent/gemini", "pawl/agent/mask", "pawl/agent/openai", "pawl/agent/sanitize", "pawl/agent/script", "pawl/agent/settings", "pawl/agent/wire", "pawl/internal/keys", "pawl/internal/system", "pawl/internal/variables", "pawl/lifecycle"},
	"pawl/export":                     {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/export/book", "pawl/export/changes", "pawl/export/formats", "pawl/export/html", "pawl/export/jsondoc", "pawl/export/markdown", "pawl/export/redact", "pawl/export/trace", "pawl/internal/system", "pawl/internal/regular", "pawl/lifecycle"},
	"pawl/export/formats":             {},
	"pawl/export/changes":             {"pawl/agent/diff", "pawl/export/book", "pawl/lifecycle", "pawl/lifecycle/files"},
	"pawl/export/markdown":            {"pawl/export/book", "pawl/export/changes", "pawl/lifecycle"},
	"pawl/export/html":                {"pawl/agent", "pawl/agent/diff", "pawl/export/book", "pawl/export/changes", "pawl/lifecycle", "pawl/lifecycle/files", "pawl/lifecycle/lanes"},
	"pawl/export/trace":               {"pawl/export/book", "pawl/export/jsondoc", "pawl/lifecycle"},
	"pawl/export/jsondoc":             {"pawl/agent/mask", "pawl/export/book", "pawl/lifecycle"},
	"pawl/export/recording":           {"pawl/agent", "pawl/agent/sanitize", "pawl/export/book", "pawl/export/jsondoc", "pawl/lifecycle"},
	"pawl/export/verify":              {"pawl/agent/mask", "pawl/export/book", "pawl/lifecycle", "pawl/lifecycle/files"},
	"pawl/export/redact":              {"pawl/agent", "pawl/export/book", "pawl/lifecycle"},
	"pawl/export/book":                {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/lifecycle"},
	"pawl/export/otel":                {"pawl/agent", "pawl/agent/mask", "pawl/internal/regular", "pawl/lifecycle"},
	"pawl/export/exporttest":          {"pawl/agent", "pawl/export/book", "pawl/lifecycle"}, // for tests
	"pawl/export/oteltest":            {},                                                   // for tests
	"pawl/ui":                         {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/export/formats", "pawl/lifecycle", "pawl/ui/approval", "pawl/ui/changes", "pawl/ui/completion", "pawl/ui/composer", "pawl/ui/contents", "pawl/ui/dashboard", "pawl/ui/dock", "pawl/ui/draw", "pawl/ui/list", "pawl/ui/notice", "pawl/ui/pane", "pawl/ui/replay", "pawl/ui/rewind", "pawl/ui/screens", "pawl/ui/scroll", "pawl/ui/terminal", "pawl/ui/timeline", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/fleet":                   {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/approval", "pawl/ui/composer", "pawl/ui/draw", "pawl/ui/notice", "pawl/ui/pane", "pawl/ui/terminal", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/approval":                {"pawl/agent", "pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/changes":                 {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/composer", "pawl/ui/draw"},
	"pawl/ui/completion":              {"pawl/agent", "pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/composer", "pawl/ui/draw", "pawl/ui/list"},
	"pawl/ui/contents":                {"pawl/agent", "pawl/agent/sanitize", "pawl/ui/draw", "pawl/ui/list"},
	"pawl/ui/dock":                    {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/notice":                  {"pawl/agent/sanitize", "pawl/ui/draw"},
	"pawl/ui/pane":                    {"pawl/lifecycle", "pawl/ui/draw"},
	"pawl/ui/screens":                 {"pawl/lifecycle"},
	"pawl/ui/scroll":                  {"pawl/ui/draw"},
	"pawl/ui/dashboard":               {"pawl/agent", "pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw", "pawl/ui/timeline", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/timeline":                {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/lifecycle/lanes", "pawl/ui/draw", "pawl/ui/transcript", "pawl/ui/wording"},
	"pawl/ui/transcript":              {"pawl/agent", "pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw", "pawl/ui/markdown", "pawl/ui/wording"},
	"pawl/ui/wording":                 {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw"},
	"pawl/ui/list":                    {"pawl/agent/sanitize", "pawl/ui/draw"},
	"pawl/ui/composer":                {"pawl/agent/sanitize", "pawl/ui/draw"},
	"pawl/ui/terminal":                {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw"},
	"pawl/ui/draw":                    {"pawl/agent/diff", "pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/highlight", "pawl/ui/markdown"},
	"pawl/ui/acp":                     {"pawl/agent", "pawl/agent/mask", "pawl/agent/sanitize", "pawl/lifecycle"},
	"pawl/ui/headless":                {"pawl/agent/mask", "pawl/agent/sanitize", "pawl/lifecycle"},
	"pawl/ui/highlight":               {},
	"pawl/ui/markdown":                {"pawl/agent/sanitize", "pawl/ui/highlight"},
	"pawl/ui/replay":                  {"pawl/lifecycle"},
	"pawl/ui/rewind":                  {"pawl/agent/sanitize", "pawl/lifecycle", "pawl/ui/draw"},
	"pawl/internal/machines":          {"pawl/internal/regular", "pawl/lifecycle"},
	"pawl/internal/machines/dispatch": {"pawl/agent/remote", "pawl/internal/machines", "pawl/lifecycle"},
	"pawl/internal/machines/worker":   {"pawl/agent/remote", "pawl/internal/machines", "pawl/lifecycle"},
	"pawl/internal/server":            {"pawl/agent/settings", "pawl/internal/regular", "pawl/internal/system"},
	"pawl/internal/natstest":          {}, // for tests
	"pawl/internal/checkout":          {"pawl/internal/regular", "pawl/internal/system", "pawl/internal/worktree", "pawl/lifecycle", "pawl/tools/filestore", "pawl/tools/git", "pawl/tools/process"},
	"pawl/internal/remoterun":         {"pawl/agent/remote", "pawl/internal/checkout", "pawl/internal/machines", "pawl/internal/machines/dispatch", "pawl/internal/machines/worker", "pawl/internal/system", "pawl/internal/worktree", "pawl/lifecycle", "pawl/tools/filestore", "pawl/tools/process"},
	"pawl/internal/words":             {},
	"pawl/internal/update":            {"pawl/internal/regular", "pawl/internal/system"},
	"pawl/internal/packaging":         {},                         // a program of its own, for releases
	"pawl/internal/modulepath":        {},                         // a program of its own, for the owner
	"pawl/internal/counttest":         {},                         // for tests
	"pawl/internal/soak":              {},                         // a program of its own
	"pawl/internal/soaktest":          {},                         // for tests
	"pawl/ui/picturetest":             {},                         // for tests
	"pawl/internal/browsertest":       {"pawl/internal/soaktest"}, // for tests
	"pawl/internal/site":              {"pawl/ui/highlight"},
}

// testRooms are those that are made of tests or that only tests use.
var testRooms = map[string][]string{
	"pawl/internal/modeltest":            {"pawl/internal/soaktest"},
	"pawl/internal/daytest":              {"pawl/internal/gittest", "pawl/internal/soaktest"},
	"pawl/internal/logintest":            {},
	"pawl/internal/harness":              {"pawl/internal/gittest", "pawl/internal/modeltest"},
	"pawl/internal/bench":                {},
	"pawl/internal/stories":              {},
	"pawl/internal/stories/crash":        {},
	"pawl/internal/stories/conventions":  {},
	"pawl/internal/stories/counterparts": {},
	"pawl/internal/stories/files":        {},
	"pawl/internal/stories/hosts":        {},
	"pawl/internal/stories/install":      {},
	"pawl/internal/stories/machines":     {},
	"pawl/internal/stories/orders":       {},
	"pawl/internal/machinelab":           {},
}

// connecting are the rooms that join the others, the lowest first: each may import all
// rooms above, and of these those before it.
var connecting = []string{"pawl/internal/base", "pawl/internal/project", "pawl/internal/protection", "pawl/internal/stored", "pawl/internal/hosted", "pawl/internal/served", "pawl/internal/doctor", "pawl/internal/app", "pawl/internal/host", "pawl/internal/cli/command", "pawl/internal/cli/worktrees", "pawl/internal/cli/servers", "pawl/internal/cli/keys", "pawl/internal/cli/conventions", "pawl/internal/cli/machines", "pawl/internal/cli/release", "pawl/internal/cli"}

// alone says which room alone may import a package; so may its own room for tests, and
// with /... the rooms below it.
var alone = map[string]string{
	"os/exec":                                "pawl/tools/process/...",
	"modernc.org/sqlite":                     "pawl/store",
	"charm.land/bubbletea":                   "pawl/ui/...",
	"charm.land/bubbles":                     "pawl/ui/...",
	"charm.land/lipgloss":                    "pawl/ui/...",
	"github.com/modelcontextprotocol/go-sdk": "pawl/tools/mcp/...",
	"github.com/coder/acp-go-sdk":            "pawl/ui/acp",
	"github.com/zalando/go-keyring":          "pawl/internal/keys",
	"github.com/aws/aws-sdk-go-v2":           "pawl/internal/models",
	"golang.org/x/oauth2/google":             "pawl/internal/models",
	"github.com/go-logr":                     "pawl/export/otel",
	"google.golang.org/protobuf":             "pawl/export/otel",
	"go.opentelemetry.io":                    "pawl/export/otel",
	"github.com/nats-io/nats.go":             "pawl/internal/machines",
	"github.com/nats-io/nats-server":         "pawl/internal/server",
}

// runners are no part of the program and run a browser, git, Pawl and what makes namespaces: for tests, to
// change the module's path, and to play the soak.
var runners = []string{"pawl/internal/browsertest", "pawl/internal/gittest", "pawl/internal/harness", "pawl/internal/machinelab", "pawl/internal/modulepath", "pawl/internal/soak"}

// fromOutside are the rooms whose tests play the program and know nothing of its inside, and
// forTests all of ours that those may import.
var (
	fromOutside = []string{"pawl/internal/bench", "pawl/internal/stories"}
	forTests    = []string{
		"pawl/agent/mask/masktest", "pawl/export/oteltest", "pawl/internal/browsertest", "pawl/internal/counttest", "pawl/internal/gittest",
		"pawl/internal/daytest", "pawl/internal/harness", "pawl/internal/logintest", "pawl/internal/machinelab", "pawl/internal/modeltest", "pawl/internal/natstest", "pawl/internal/soaktest", "pawl/ui/picturetest",
	}
)

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", module+"...").Output()
	require.NoError(t, err)
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p listed
		require.NoError(t, decoder.Decode(&p))
		all = append(all, p)
	}
	return all
}

func TestTheRoomsImportWhatTheHouseAllows(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath+"/" == module {
			continue // main connects them all
		}
		allowed, known := rooms[p.ImportPath]
		if !known {
			allowed, known = testRooms[p.ImportPath]
		}
		if at := slices.Index(connecting, p.ImportPath); at >= 0 {
			allowed, known = slices.Concat(slices.Collect(maps.Keys(rooms)), connecting[:at]), true
		}
		require.True(t, known, "%s is a room without a place in the house", p.ImportPath)
		for _, imported := range p.Imports {
			if imported == "pawl/internal/words" {
				continue // the one leaf that everything may import
			}
			if strings.HasPrefix(imported, module) {
				require.Contains(t, allowed, imported, "%s must not import %s", p.ImportPath, imported)
			}
		}
	}
}

func TestEachHeavyPackageHasOneDoor(t *testing.T) {
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			for pkg, room := range alone {
				if pkg == "os/exec" && slices.Contains(runners, p.ImportPath) {
					continue
				}
				if pkg == "github.com/nats-io/nats-server" && p.ImportPath == "pawl/internal/natstest" {
					continue // for tests: it runs one
				}
				if imported == pkg || strings.HasPrefix(imported, pkg+"/") {
					above, below := strings.CutSuffix(room, "/...")
					if below && strings.HasPrefix(p.ImportPath, above+"/") {
						continue
					}
					require.Equal(t, above, strings.TrimSuffix(p.ImportPath, "test"), "%s imports %s", p.ImportPath, imported)
				}
			}
		}
	}
}

func TestTheLifecycleStandsOnTheStandardLibraryAlone(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != "pawl/lifecycle" {
			continue
		}
		for _, imported := range p.Imports {
			first, _, _ := strings.Cut(imported, "/")
			require.True(t, imported == "github.com/google/uuid" || strings.HasPrefix(imported, module) || !strings.Contains(first, "."), imported)
		}
	}
}

func TestStoriesAndBenchmarksImportNothingOfTheProduct(t *testing.T) {
	for _, p := range packages(t) {
		if !slices.ContainsFunc(fromOutside, func(room string) bool { return p.ImportPath == room || strings.HasPrefix(p.ImportPath, room+"/") }) {
			continue
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(imported, module) {
				require.Contains(t, forTests, imported, "a test in %s must not import %s", p.ImportPath, imported)
			}
		}
	}
}
