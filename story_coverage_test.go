package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stories says which test reaches each word for the state, the failure or the
// cause of a run through the real program. TestEveryWordForAnEndHasItsStory holds
// it against the package: a word that nothing reaches is a word too many.
var stories = map[string]string{
	"StateQueued":          "TestTheQueueKeepsItsOrderAndAStopInItIsAnEndLikeAny",
	"StateRunning":         "TestEachBackgroundEndWakesTheIdleParentOnce",
	"StateCompleted":       "TestEveryFailureKindIsReachedAndToldAsItIs",
	"StateCompletedEmpty":  "TestEveryFailureKindIsReachedAndToldAsItIs",
	"StateFailed":          "TestEveryFailureKindIsReachedAndToldAsItIs",
	"StateCanceledByUser":  "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"StateCanceledByAgent": "TestAgentStopKeepsThePartialTextAndOwesNoNotification",
	"StateInterrupted":     "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",

	"FailProvider":      "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailRateLimited":   "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailAuth":          "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailContextLength": "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailTruncated":     "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailRefused":       "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailMaxSteps":      "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailBudget":        "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailSetup":         "TestEveryFailureKindIsReachedAndToldAsItIs",
	"FailTool":          "TestABugEndsTheRunThatMetItAndTheParentIsToldWhich",
	"FailPanic":         "TestABugEndsTheRunThatMetItAndTheParentIsToldWhich",
	"FailJournal":       "TestAPromptOnAFullDiskFailsAsNotSaved",
	"FailProcess":       "TestKilledProcessIsAFailureThatSaysSoAndCanBeResumed",

	"CauseKey":          "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseSIGINT":       "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseCommand":      "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseQuit":         "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseAgentsStop":   "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseDrainTimeout": "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseProcessEnd":   "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs",
	"CauseRunEnd":       "TestAShellEndsWithWhatItWasStartedFor",
	"CauseAgentStop":    "TestAgentStopKeepsThePartialTextAndOwesNoNotification",
}

func TestEveryWordForAnEndHasItsStory(t *testing.T) {
	tests := testNames(t)
	words := constants(t, "lifecycle", "State", "FailureKind", "Cause")
	for name, value := range words {
		story, named := stories[name]
		require.True(t, named, "no story reaches %s (%s)", name, value)
		require.Contains(t, tests, story, "the story of %s (%s)", name, value)
	}
	for name := range stories {
		require.Contains(t, words, name)
	}
	for _, f := range fates() { // the table of kinds holds what is said of it above
		require.Contains(t, []string{stories["FailProvider"], ""}, stories[nameOf(words, string(f.kind), "Fail")], f.name)
	}
	for _, c := range stops() {
		require.Equal(t, "TestEveryCauseOfAnEndIsRecordedAndToldAsItIs", stories[nameOf(words, string(c.cause), "Cause")], c.name)
	}
}

// nameOf finds the constant with a value.
func nameOf(words map[string]string, value, prefix string) string {
	for name, is := range words {
		if is == value && strings.HasPrefix(name, prefix) {
			return name
		}
	}
	return ""
}

// constants lists the constants of these types in a folder, with their values.
func constants(t *testing.T, folder string, types ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	eachFile(t, filepath.Join(folder, "*.go"), func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) == 0 {
				return true
			}
			kind, _ := spec.Type.(*ast.Ident)
			literal, _ := spec.Values[0].(*ast.BasicLit)
			for _, want := range types {
				if kind != nil && literal != nil && kind.Name == want {
					value, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					found[spec.Names[0].Name] = value
				}
			}
			return true
		})
	})
	return found
}

// testNames lists the tests of this package.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	eachFile(t, "*_test.go", func(file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") {
				names[f.Name.Name] = true
			}
		}
	})
	return names
}

func eachFile(t *testing.T, pattern string, do func(*ast.File)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") != strings.HasSuffix(pattern, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		require.NoError(t, err)
		do(file)
	}
}
