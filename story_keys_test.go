package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyStories says which keys each story presses through the real program, by the
// place as the table of keys writes it. TestEveryKeyHasItsStory holds it against that
// table and against the source of the stories.
var keyStories = map[string]map[string]string{
	"TestTheKeysOfAMessageOfSeveralLines": {
		"typing":     "enter alt+enter shift+enter ctrl+j up down",
		"atComposer": "esc",
	},
	"TestTheLineHasTheKeysOfReadline": {
		"typing": "ctrl+a ctrl+e home end alt+b alt+f left right alt+left ctrl+left alt+right ctrl+right ctrl+b ctrl+f ctrl+h backspace " +
			"shift+backspace delete ctrl+d ctrl+w alt+backspace ctrl+backspace ctrl+alt+h alt+d alt+delete ctrl+delete ctrl+u ctrl+k " +
			"ctrl+y alt+y alt+u alt+l alt+c alt+< alt+> alt+shift+, alt+shift+. ctrl+_ ctrl+/ ctrl+shift+-",
	},
	"TestALongPasteOutlivesACrashAndIsFoundAgain": {
		"typing":   "ctrl+r ctrl+o",
		"atRecall": "ctrl+r down ctrl+n ctrl+s up ctrl+p enter tab right esc ctrl+c ctrl+g backspace ctrl+h ctrl+w alt+backspace ctrl+u",
	},
	"TestCtrlGWritesInTheUsersEditorWhileWorkGoesOn":    {"typing": "ctrl+g"},
	"TestWhatAMessageNamesIsCompletedAndGoesToTheModel": {"atCompletion": "enter tab"},
	"TestTheKeysOfAnOpenCompletion":                     {"atCompletion": "up down shift+tab esc"},
	"TestTheKeysThatMoveAround": {
		"working":              "tab shift+tab ctrl+end ctrl+l",
		"typing | atCard":      "alt+up alt+down",
		"working | atQuestion": "ctrl+o",
		"working | atHelp | atQuestion | atDialog": "pgup pgdown",
		"atCard":              "up down left right m ?",
		"atView":              "left",
		"atView | atCard":     "ctrl+c",
		"atHelp":              "esc ctrl+c ? q enter",
		"atHelp | atQuestion": "up down",
		"typing":              "?",
	},
	"TestTheTimelineShowsEachRunAndOpensIt": {
		"atTimeline": "esc ctrl+t ctrl+c q up k down j pgup pgdown enter",
	},
	"TestTheTimelineShowsToolsAQuestionAndAStopLive": {
		"working | atQuestion": "ctrl+t",
		"atTimeline":           "left right h l home end + = - 0",
	},
	"TestAnExportedSessionIsOpenedAndPlayedOnTheScreen": {
		"atRecorded":                       "up down / esc q ctrl+c right . , n N + > = - < 0 home end",
		"atRecorded | atCard | atTimeline": "space",
		"atCard":                           "esc ctrl+c",
	},
	"TestTheTranscriptIsReadBlockByBlock": {
		"typing | atCard":    "ctrl+up shift+up",
		"working | atBlock":  "ctrl+home",
		"atBlock":            "up k down j enter space y Y esc q ctrl+c ctrl+o ? ctrl+end",
		"atBlock | atSearch": "pgup pgdown",
	},
	"TestTheTranscriptIsSearched": {
		"working":            "ctrl+f",
		"atBlock":            "/ ctrl+f n N",
		"atBlock | atSearch": "pgup pgdown",
		"atSearch":           "enter up shift+enter down esc ctrl+c backspace ctrl+h ctrl+w ctrl+u",
	},
	"TestThePaletteAndEachListOfACommandTakeTheirKeys": {
		"working":  "ctrl+p",
		"atPicker": "up ctrl+p down ctrl+n pgup pgdown enter esc ctrl+c backspace ctrl+h shift+backspace ctrl+w alt+backspace ctrl+backspace ctrl+u",
	},
	"TestOneGoesToAnotherSessionAndBackOnTheSameScreen": {"atPicker": "tab"},
	"TestWaitingMessagesAreEditedMovedAndWithdrawn": {
		"typing":  "up enter esc",
		"atQueue": "up down enter e K J shift+up shift+down alt+up alt+down d backspace delete esc left ctrl+c ?",
	},
	"TestWhatALineOffersWorksAfterTheParentWentOn":             {"atCard": "backspace delete"},
	"TestWhatFingersKnowFromOtherPrograms":                     {"typing": "ctrl+d enter", "working": "shift+tab", "atComposer": "esc ctrl+c"},
	"TestAnOverdueCardOffersItsChoices":                        {"atCard": "w b"},
	"TestCardStopsItsBackgroundRunWithXTwice":                  {"atCard": "x"},
	"TestCardStopsItsBackgroundRunWithEscTwice":                {"atView | atCard": "esc"},
	"TestCardContinuesWhatWasCutOff":                           {"atCard": "r"},
	"TestCardGrantsWhatWasDeniedAndTheSubagentTriesAgain":      {"atCard": "g"},
	"TestWhatWasDeniedIsShownAndWhatIsChosenIsGranted":         {"atDenials": "up down pgup pgdown space g enter p esc ctrl+c", "atDialog": "n"},
	"TestCardOpensItsSessionAndAMessageIsTakenInAtTheNextStep": {"atCard": "enter"},
	"TestCtrlBSendsTheWaitingSubagentToTheBackground":          {"working": "ctrl+b"},
	"TestTheKeysOfADialogChooseAndClose": {
		"working":  "ctrl+x",
		"atDialog": "esc ctrl+c up down left right tab shift+tab enter",
	},
	"TestAnAnswerToAStrangerHoldsForTheNextStart": {"atDialog": "x y"},
	"TestQuittingAsksWhileABackgroundRunLives":    {"atDialog": "x", "atComposer": "ctrl+c"},
	"TestQuittingCanWaitForTheBackgroundRuns":     {"atDialog": "w"},
	"TestShellRunsWhenTheUserSaysYes":             {"atQuestion": "y"},
	"TestCtrlCOnAQuestionDeniesItAndStopsThatRun": {"atQuestion | atReason": "ctrl+c"},
	"TestAnAnswerForAlwaysHoldsFromThenOn":        {"atQuestion": "p ! esc"},
	"TestAWideGrantIsSeenWhileItHoldsAndRevoked":  {"atQuestion": "1 2 3 4 5 6 left right enter"},
	"TestQuestionsThatWaitAreWalkedThroughAndANoSaysWhy": {
		"atQuestion": "n a s r N tab shift+tab",
		"atReason":   "enter esc ctrl+y pgup pgdown",
	},
	"TestCtrlSExportsParentSubagentsAndTrail": {"working": "ctrl+s"},
	"TestCtrlZStopsBothAndFgBringsThemBack":   {"working | atQuestion | atDialog | atHelp": "ctrl+z"},
}

func TestEveryKeyHasItsStory(t *testing.T) {
	table, pressed := keyTable(t), pressedIn(t)
	require.NotEmpty(t, table)
	missing := maps.Clone(table)
	for story, places := range keyStories {
		assert.Contains(t, pressed, story, "a story named for keys is gone")
		for place, keys := range places {
			for _, key := range strings.Fields(keys) {
				bound := place + " " + key
				assert.True(t, table[bound], "%s is named for %s, which is not in the table", story, bound)
				assert.True(t, slices.Contains(pressed[story], sequence(key)), "%s does not press %s (%q)", story, key, sequence(key))
				delete(missing, bound)
			}
		}
	}
	require.Empty(t, slices.Sorted(maps.Keys(missing)), "no story presses these keys: add each to one, and to keyStories")
}
