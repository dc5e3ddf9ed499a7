package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The headings of the page, in its order.
const (
	kills     = "Killed at any moment"
	disks     = "Power cuts and failing disks"
	processes = "Processes"
	streams   = "Streams of models"
	orders    = "Races and orders"
	hosts     = "Hosts and terminals"
	changes   = "Changes of files, landings and rewinds"
	remotes   = "Other machines"
	lines     = "Hostile command lines"
	texts     = "Control sequences and hostile texts"
	folders   = "Hostile repositories"
	lengths   = "Many and long"
	fuzzing   = "Fuzzing, in all since each corpus was begun"
	releases  = "Releases"
	others    = "Counterparts"
)

// fuzzMinutes is how long each fuzz target is played. The corpus is kept, so that several soaks
// add up.
const fuzzMinutes = 2

// table is all that the soak plays: what is written here, and each fuzz target of the module.
func table(root string) ([]part, error) {
	targets, err := fuzzTargets(root)
	return slices.Concat(written, targets), err
}

// written are the parts that are no fuzz target. Minutes and counts are those of a machine with two
// processors and nothing else to do.
var written = []part{
	{
		Family: kills, Name: "kills at every record", Minutes: 4, Race: true, Packages: []string{crash}, Run: "KilledAtAnyRecord|KilledWhileItComesBack|ADayOfWork",
		Promise: "Killed before, inside and after the write of each kind of record, and again on the way back, Pawl loses nothing and runs nothing a second time.",
	},
	{
		Family: kills, Name: "kills at any moment", Minutes: 22, Pieces: 10, Times: 5_000, Race: true, Packages: []string{crash}, Run: "KilledAtAnyMoment",
		Promise: "Killed at any moment, no acknowledged request is lost or doubled, and each notification comes once.",
	},
	{
		Family: kills, Name: "kills of a writer", Minutes: 12, Race: true, Packages: []string{"./store"}, Run: "SurvivesKill|TenProcesses|LookAtALock",
		Promise: "What the database has acknowledged outlives the process; ten processes share one, and none is too busy.",
	},
	{
		Family: disks, Name: "power cuts", Minutes: 6, Packages: []string{"./store"}, Run: "PowerCut",
		Promise: "A power cut at any operation, whatever it does to what was not flushed, loses nothing acknowledged and damages nothing. The same cuts with synchronous=NORMAL must be seen to lose something.",
	},
	{
		Family: disks, Name: "disk faults", Minutes: 6, Packages: []string{"./store"}, Run: "DiskFails|OutlivesItsDisk|ReportedAsFailed",
		Promise: "A disk that fails at any operation, once or for ever, full or read-only, is told in a line; nothing acknowledged is lost, and all goes on when it is well.",
	},
	{
		Family: disks, Name: "damaged databases", Minutes: 5, Packages: []string{"./store", stories}, Run: "Damaged",
		Promise: "A damaged database is refused or reported, never shown as a shorter list.",
	},
	{
		Family: processes, Name: "processes that will not end", Minutes: 6, Packages: []string{"./tools/process"}, Args: []string{"-count=5"}, Run: "NothingIsLeft|KilledHelper|NothingOutlives|Forks|StartsAndStops|WithoutPrivileges",
		Promise: "However a command's children hide, nothing outlives the end of the program, a stop, a time limit, a kill of the helper or of Pawl.",
	},
	{Family: streams, Name: "streams of Anthropic", Minutes: 0.5, Packages: []string{"./agent/anthropic"}, Run: "WholeOrAnError", Promise: broken},
	{Family: streams, Name: "streams of OpenAI", Minutes: 0.5, Packages: []string{"./agent/openai"}, Run: "WholeOrAnError", Promise: broken},
	{Family: streams, Name: "streams of Chat Completions", Minutes: 0.5, Packages: []string{"./agent/chat"}, Run: "WholeOrAnError", Promise: broken},
	{Family: streams, Name: "streams of Gemini", Minutes: 0.5, Packages: []string{"./agent/gemini"}, Run: "WholeOrAnError", Promise: broken},
	{
		Family: orders, Name: "races", Minutes: 3, Race: true, Packages: []string{"./lifecycle"}, Skip: "AnyOrder",
		Promise: "Of two who want the end of a run, its place or its telling, in whichever order they come, one gets it.",
	},
	{Family: orders, Name: "sequences beside a model", Minutes: 27, Times: 55_000, Rapid: true, Packages: []string{"./lifecycle"}, Run: anyOrder, Promise: inOrder},
	{Family: orders, Name: "sequences under the race detector", Minutes: 11, Times: 5_000, Rapid: true, Race: true, Packages: []string{"./lifecycle"}, Run: anyOrder, Promise: inOrder},
	{
		Family: orders, Name: "shuffled tests", Minutes: 11, Race: true, Packages: []string{"./lifecycle", "./agent"}, Args: []string{"-count=20", "-shuffle=on"}, Env: []string{"PAWL_SOAK="},
		Promise: "The tests of runs and of the loop pass twenty times in random orders.",
	},
	{
		Family: hosts, Name: "hosts and attaches", Minutes: 9, Times: 100, Race: true, Packages: []string{"./internal/stories/hosts"},
		Promise: "Sessions that are opened, left, attached, driven, killed and updated from several terminals at random lose and double nothing, and leave nothing behind.",
	},
	{
		Family: changes, Name: "kills amid landings and rewinds", Minutes: 18, Times: 300, Race: true, Packages: []string{"./internal/stories/files"},
		Promise: "Killed in the middle of a landing, a rewind or a write, the folder is as before or as after, and what a person wrote stands.",
	},
	{
		Family: changes, Name: "kills at each step of a change", Minutes: 3, Race: true, Packages: []string{crash, stories}, Run: "KilledAnywhere|WorkersProcess|UndoesARewind|GuardOfAHostThatDied|DeletedLeavesItsFolder|PersonsFileIsLeft|LandingThatIsKilled",
		Promise: "Killed at each step of a change, a landing or a rewind, it is whole or not at all after the next opening, and the log says what was changed.",
	},
	{
		Family: changes, Name: "orders of changes beside a model", Minutes: 7, Times: 400, Packages: []string{"./internal/app"}, Run: "^TestInAnyOrderOfChanges",
		Promise: "Whatever order writes, commands, a person's edits, landings and rewinds come in, each file holds what a plain model of it says.",
	},
	{
		Family: changes, Name: "differences and contents", Minutes: 6, Times: 10_000, Rapid: true, Packages: []string{"./agent/diff", "./tools/apply", "./tools/filestore", "./ui/changes"},
		Run:     "DiffApplies|VersionThatBroughtIt|OneForEachLine|WhereverTheyAreCutOff|AfterAnyTornTail|OneContentToTheOther|OneByOneAddsUp",
		Promise: "A difference leads from one content to the other, a set of files is written whole or not at all, and what was kept is read back after any torn tail.",
	},
	{
		Family: remotes, Name: "orders on three machines", Minutes: 90, Pieces: 5, Times: 200, Args: []string{"-parallel=3"}, Packages: []string{"./internal/stories/orders"}, Run: "OnThreeMachines",
		Promise: "With 100 subagents over three machines, whatever is cut off, switched off, killed or restarted, no result is lost or told twice, and nothing is left.",
	},
	{
		Family: remotes, Name: "orders on one machine", Minutes: 20, Pieces: 5, Times: 200, Args: []string{"-parallel=4"}, Race: true, Packages: []string{"./internal/stories/orders"}, Run: "OnLoopback|AWireThatIsCut",
		Promise: "The same with workers on one machine, and lines between them that are cut.",
	},
	{
		Family: remotes, Name: "losses of workers", Minutes: 20, Pieces: 5, Times: 200, Race: true, Packages: []string{"./internal/machines/worker"}, Run: "NoRunIsLostOrWorkedAtByTwo",
		Promise: "Whatever breaks between host, server and workers, no run is lost, and none is worked at by two.",
	},
	{
		Family: remotes, Name: "a hundred checkouts at once", Minutes: 3, Race: true, Packages: []string{"./internal/checkout"}, Run: "AHundredRuns|TwoHosts|ManySmallPacks",
		Promise: "A hundred runs of one repository get their own checkouts and bring back their own changes.",
	},
	{
		Family: lines, Name: "lines read as a shell reads them", Minutes: 20, Times: 2_000, Packages: []string{"./agent/permission"}, Run: "ReadAsBashAndSh|DeniedRunsInNoLine",
		Promise: "What a rule allows is read word for word as bash and sh read it, and what a rule denies runs in no line that goes ahead.",
	},
	{
		Family: lines, Name: "hostile command lines", Minutes: 0.5, Race: true, Packages: []string{"./agent/permission"}, Run: "HostileLine|LineOfTheTable|Dressed|NothingElseRuns|RealShell|Bench|Denial|Proposed",
		Promise: "Each class of bypass that became known in other agents is asked about or denied, however it is dressed; a real shell runs nothing but what was listed.",
	},
	{
		Family: texts, Name: "hostile texts on the screen", Minutes: 20, Race: true, Packages: []string{"./ui", "./ui/fleet"}, Args: []string{"-rapid.checks=1000"}, Run: "HostileTextIsInert|EverySize|SmallestTerminals|QuestionShowsTheWhole|CannotPushAQuestion|StraightAtAny|BreaksALine",
		Promise: "No text from outside is more than text on the screen, in every field, scene and size, and none draws over a question.",
	},
	{
		Family: texts, Name: "control sequences", Minutes: 1, Race: true, Packages: []string{stories, "./internal/base"}, Run: "SequenceOfOthers|EveryAttackIsKnown|HoldsNoSequence",
		Promise: "Nothing but Pawl's own sequences reaches a terminal, from whichever of its commands.",
	},
	{
		Family: texts, Name: "answers however they come", Minutes: 3, Times: 1_000_000, Rapid: true, Packages: []string{"./ui/transcript", "./ui/markdown", "./ui/scroll", "./ui/timeline"},
		Run:     "HoweverItCame|AsItWillWhenItIsClosed|HoweverItNests|MovesByWholeOnes|WhereTheirTimeSays",
		Promise: "An answer looks the same however much of it came at once, fits its width whatever is nested in it, and is scrolled by whole lines.",
	},
	{
		Family: folders, Name: "hostile repositories", Minutes: 1, Race: true, Packages: []string{stories, stories + "/conventions", "./internal/instructions", "./tools"}, Run: "Hostile|AfterAYes|NeedTrust|LeavesTheFolder|NeverLeaves|Outside|LeadsNo|GitHook|IsAskedAbout|IsNotTrusted",
		Promise: "Nothing of a hostile repository runs, is read outside of it or reaches the model before a yes, and afterwards only what was shown.",
	},
	{
		Family: lengths, Name: "ten thousand runs and a day", Minutes: 9, Packages: []string{"./internal/app"}, Run: "^(TestTenThousandRunsInOneProcess|TestADayOfOneSession)$",
		Promise: "After 10,000 runs in one process, and after a day of one session in virtual time, goroutines, files and children are back where they were, and an ended run keeps little memory.",
	},
	{
		Family: lengths, Name: "stories in four protocols", Minutes: 13, Race: true, Packages: []string{stories}, Args: []string{"-parallel=4"}, Skip: "Damaged|Killed|SequenceOfOthers|Hostile",
		Promise: "Each story that a person can play with the program goes the same in each of the four protocols of models.",
	},
	{
		Family: lengths, Name: "broken exports", Minutes: 2, Packages: []string{"./export/verify", "./agent/mask"}, Run: "AnyValueChanged|LeftOutIsMissed|AsItsPatternAlone|ABrokenCopy",
		Promise: "A record that is left out or changed is missed by verify, and no secret is left in by the quick search for it.",
	},
	{
		Family: releases, Name: "another path of the module", Minutes: 3, Packages: []string{"./internal/modulepath"},
		Promise: "The module takes another path in one step, and builds.",
	},
	{
		Family: others, Name: "the makers' libraries", Minutes: 5, Dir: "testdata/oracle", Packages: []string{"./..."},
		Promise: "What Pawl sends to a model is what the maker's own library sends.",
	},
	{
		Family: others, Name: "the reference servers of MCP", Minutes: 4, Race: true, Packages: []string{"./tools/mcp"}, Run: "^TestTheReferenceServers",
		Promise: "Pawl works with the servers of the protocol's makers.",
	},
	{
		Family: others, Name: "a mock of models", Minutes: 5, Race: true, Packages: []string{outside}, Run: "MocksOfModels",
		Promise: "What a mock that others wrote says in each of the four protocols is understood, refused and cut off streams included.",
	},
	{
		Family: others, Name: "the conformance suite of MCP", Minutes: 10, Race: true, Packages: []string{outside}, Run: "ConformanceSuite",
		Promise: "The protocol's own suite finds no fault with Pawl as a client, but for what is named.",
	},
	{
		Family: others, Name: "the library of ACP", Minutes: 3, Race: true, Packages: []string{outside}, Run: "LibraryOfACP",
		Promise: "Each message to an editor is one of the protocol's schemas.",
	},
	{
		Family: others, Name: "OpenTelemetry's collector", Minutes: 5, Race: true, Packages: []string{outside}, Run: "TheCollector",
		Promise: "The collector takes each span, once.",
	},
	{
		Family: others, Name: "emulators of terminals", Minutes: 5, Race: true, Packages: []string{outside}, Run: "EmulatorsOfOthers",
		Promise: "Other emulators show the screen that the tests see, in many sizes.",
	},
	{
		Family: others, Name: "judges of pages", Minutes: 5, Race: true, Packages: []string{outside}, Run: "AxeFinds|MandocFinds",
		Promise: "The exported page can be used by everybody, and the manual is well formed.",
	},
	{
		Family: others, Name: "axe on the site", Minutes: 3, Race: true, Packages: []string{"./internal/site"}, Run: "Axe",
		Promise: "Each page of the site can be used by everybody.",
	},
}

const (
	stories = "./internal/stories"
	crash   = "./internal/stories/crash"
	outside = "./internal/stories/counterparts"

	broken   = "An answer that is cut, stopped or garbled at any byte is whole or an error, never a part of a tool call."
	anyOrder = "^TestAnyOrderOfActsKeepsTheInvariants$"
	inOrder  = "Whatever order acts, faults, crashes and ends come in, every invariant of sessions holds after each."
)

// fuzzTargets finds each target in the module's own tests.
func fuzzTargets(root string) (targets []part, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || len(entry.Name()) > 1 && entry.Name()[0] == '.'):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found, err := targetsIn(path)
		folder, _ := filepath.Rel(root, filepath.Dir(path))
		for _, target := range found {
			targets = append(targets, part{
				Family: fuzzing, Name: fmt.Sprintf("%s in %s", target, filepath.ToSlash(folder)), Promise: "Whatever it is given, no panic and no broken promise.", Fuzz: target,
				Packages: []string{"./" + filepath.ToSlash(folder)}, Minutes: fuzzMinutes,
			})
		}
		return err
	})
	return targets, err
}

func targetsIn(path string) (names []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewScanner(file)
	text.Buffer(nil, 1<<20)
	for text.Scan() {
		if rest, found := strings.CutPrefix(text.Text(), "func Fuzz"); found {
			name, _, _ := strings.Cut(rest, "(")
			names = append(names, "Fuzz"+name)
		}
	}
	return names, text.Err()
}
