package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyStories says which keys each story presses through the real program, by the
// place as the table of keys writes it. TestEveryKeyHasItsStory holds it against that
// table and against the source of the stories.
var keyStories = map[string]map[string]string{
	"TestTheKeysOfTheLineEditIt": {
		"typing": "enter alt+enter shift+enter ctrl+j ctrl+y up down left right home end delete backspace shift+backspace " +
			"alt+b alt+f alt+d alt+backspace alt+left alt+right ctrl+a ctrl+b ctrl+backspace ctrl+d ctrl+e ctrl+f ctrl+h ctrl+k " +
			"ctrl+left ctrl+right ctrl+u ctrl+w",
		"atComposer": "esc",
	},
	"TestTheKeysThatMoveAround": {
		"working":              "tab shift+tab ctrl+end ctrl+l",
		"working | atQuestion": "ctrl+o",
		"working | atHelp | atQuestion | atDialog": "pgup pgdown",
		"atCard":              "up down left right m ?",
		"atView":              "left",
		"atHelp":              "esc ctrl+c ? q enter",
		"atHelp | atQuestion": "up down",
		"typing":              "?",
	},
	"TestTheKeysOfADialogChooseAndClose": {
		"working":  "ctrl+x",
		"atDialog": "esc ctrl+c n up down left right tab shift+tab enter",
	},
	"TestAnAnswerToAStrangerHoldsForTheNextStart":              {"atDialog": "x y"},
	"TestQuittingAsksWhileABackgroundRunLives":                 {"atDialog": "s", "atComposer": "ctrl+c"},
	"TestQuittingCanWaitForTheBackgroundRuns":                  {"atDialog": "w"},
	"TestCardStopsItsBackgroundRunAtOnceWithX":                 {"atCard": "x"},
	"TestCardStopsItsBackgroundRunWithEscTwice":                {"atView | atCard": "esc"},
	"TestCardContinuesWhatWasCutOff":                           {"atCard": "r"},
	"TestCardGrantsWhatWasDeniedAndTheSubagentTriesAgain":      {"atCard": "g"},
	"TestShellRunsWhenTheUserSaysYes":                          {"atQuestion": "y"},
	"TestShellIsDeniedWhenTheUserSaysNoAndTheModelIsTold":      {"atQuestion": "n esc"},
	"TestCtrlCOnAQuestionDeniesItAndStopsThatRun":              {"atQuestion": "ctrl+c"},
	"TestCtrlBSendsTheWaitingSubagentToTheBackground":          {"working": "ctrl+b"},
	"TestCtrlSExportsParentSubagentsAndTrail":                  {"working": "ctrl+s"},
	"TestCtrlZStopsBothAndFgBringsThemBack":                    {"working | atQuestion | atDialog | atHelp": "ctrl+z"},
	"TestCardOpensItsSessionAndAMessageIsTakenInAtTheNextStep": {"atCard": "enter"},
	"TestTheTimelineShowsEachRunAndOpensIt": {
		"working":    "ctrl+t",
		"atTimeline": "esc ctrl+t ctrl+c q left up k down j pgup pgdown enter right",
	},
}

func TestEveryKeyHasItsStory(t *testing.T) {
	table, pressed := keyTable(t), pressedIn(t)
	require.NotEmpty(t, table)
	missing := maps.Clone(table)
	for story, places := range keyStories {
		require.Contains(t, pressed, story, "a story named for keys is gone")
		for place, keys := range places {
			for _, key := range strings.Fields(keys) {
				bound := place + " " + key
				require.Contains(t, table, bound, "%s is named for a key that is not in the table", story)
				require.True(t, slices.Contains(pressed[story], sequence(key)), "%s does not press %s (%q)", story, key, sequence(key))
				delete(missing, bound)
			}
		}
	}
	require.Empty(t, slices.Sorted(maps.Keys(missing)), "no story presses these keys: add each to one, and to keyStories")
}
