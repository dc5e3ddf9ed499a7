package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestTheKeysOfTheListSelectASession(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		require.Contains(t, p.selected(), "fix the rounding")
		for _, step := range []struct{ key, title string }{
			{"down", "write the release notes"},
			{"j", "audit all ledgers"},
			{"k", "write the release notes"},
			{"up", "fix the rounding"},
			{"up", "fix the rounding"},
			{"end", "untitled"},
			{"down", "untitled"},
			{"home", "fix the rounding"},
			{"pgdown", "tidy up"},
			{"pgup", "fix the rounding"},
			{"tab", "write the release notes"},
			{"tab", "fix the rounding"},
		} {
			p.press(step.key)
			require.Contains(t, p.selected(), step.title, step.key)
		}
		require.Empty(t, p.taken())
	})
}

func TestEnterAttachesAndTheOthersLeave(t *testing.T) {
	for key, want := range map[string]Ending{
		"enter": {Attach: twelve(time.Now()).Sessions[3].ID}, "q": {}, "esc": {}, "ctrl+c": {}, "ctrl+d": {},
	} {
		play(t, 80, 24, func(t *testing.T, p *program) {
			p.press("down", "down", key)
			p.pass(time.Second) // a lone Esc may be the beginning of something
			got := <-p.ended
			if want.Attach != "" {
				require.Equal(t, "03", last(got.Attach))
				return
			}
			require.Equal(t, want, got, key)
		})
	}
}

func TestAQuestionThatIsShownWholeIsAnsweredAfterAPause(t *testing.T) {
	for key, want := range map[string]string{"y": "answer 01 q1 true", "n": "answer 01 q1 false"} {
		play(t, 80, 24, func(t *testing.T, p *program) {
			require.Contains(t, p.text(), "pause to answer")
			p.press(key)
			require.Empty(t, p.taken(), "nobody has read it yet")
			require.Contains(t, p.text(), "pause for 2 s")
			p.pass(settled)
			require.NotContains(t, p.text(), "pause to answer")
			p.press(key)
			require.Equal(t, []string{want}, p.taken())
			p.pass(settled)
			p.press(key)
			require.Empty(t, p.taken(), "it is answered")
			next := twelve(time.Now())
			for i := range next.Sessions {
				if s := &next.Sessions[i]; last(s.ID) == "01" {
					s.Question = &lifecycle.Question{ID: "q9", Tool: "shell", Subject: "rm -rf build"}
				}
			}
			p.show(next)
			require.Contains(t, p.text(), "rm -rf build")
			p.press(key)
			require.Empty(t, p.taken(), "the next one has not been read")
			p.pass(settled)
			p.press(key)
			require.Len(t, p.taken(), 1)
		})
	}
}

func TestAQuestionThatIsNotShownWholeIsNotAnswered(t *testing.T) {
	long := func(o *Options) {
		o.Follow = func(ctx context.Context, show func(Picture)) error {
			p := twelve(time.Now())
			for i := range p.Sessions {
				if q := p.Sessions[i].Question; q != nil {
					q.Subject = strings.Repeat("echo on and on\n", 60) + "rm -rf precious"
				}
			}
			show(p)
			<-ctx.Done()
			return nil
		}
	}
	for _, size := range [][2]int{{80, 24}, {200, 60}, {40, 10}} {
		play(t, size[0], size[1], func(t *testing.T, p *program) {
			if size[0] == 40 {
				p.press("space")
			}
			p.pass(settled)
			p.press("y", "n")
			require.Empty(t, p.taken())
			require.Contains(t, p.text(), "enter opens")
			require.NotContains(t, p.text(), "new session", "n is no beginning where a question waits")
		}, long)
	}
	play(t, 40, 10, func(t *testing.T, p *program) { // the list alone cuts the short one too
		p.pass(settled)
		p.press("y")
		require.Empty(t, p.taken())
		require.Contains(t, p.text(), "space shows the whole")
		p.press("space")
		p.pass(settled)
		p.press("y")
		require.Equal(t, []string{"answer 01 q1 true"}, p.taken())
	})
}

func TestTypedTextNeverActs(t *testing.T) {
	for _, text := range []string{"yes, do it", "no", "xx", "n + m", "quit", "yyyy", "more tests"} {
		play(t, 80, 24, func(t *testing.T, p *program) {
			p.pass(2 * settled)
			p.typed(text)
			p.pass(settled)
			require.Empty(t, p.taken(), text)
			require.Contains(t, p.text(), "› "+text)
			p.press("esc")
			p.pass(settled)
			require.Contains(t, p.text(), "fix the rounding", "the list is there")
			p.press("m")
			require.Contains(t, p.text(), "› "+text, "it is kept")
			p.press("enter")
			require.Equal(t, []string{"send 01 " + text}, p.taken())
		})
	}
}

func TestAPasteIsText(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.pass(settled)
		p.typed("\x1b[200~y\x1b[201~")
		p.pass(settled)
		require.Empty(t, p.taken())
		require.Contains(t, p.text(), "to “fix the rounding")
	})
}

func TestXStopsAtTheSecondPressWithinTwoSeconds(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.press("down", "down", "x")
		require.Contains(t, p.text(), "x again stops “audit all ledgers” and its 8 subagents")
		p.pass(armedFor)
		require.NotContains(t, p.text(), "x again")
		p.press("x")
		require.Empty(t, p.taken(), "the first press no longer counts")
		p.press("up", "down", "x")
		require.Empty(t, p.taken(), "another key came between")
		p.press("x")
		require.Equal(t, []string{"stop 03"}, p.taken())
		require.Contains(t, p.text(), "stopped “audit all ledgers”")
		p.press("x", "x")
		require.Empty(t, p.taken(), "it is being stopped")
		p.press("end", "up", "x")
		require.Contains(t, p.text(), "is not open: there is nothing to stop")
	})
}

func TestAMessageThatIsNotTakenIsInItsLineAgain(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.err = errors.New("its host does not answer: pawl ps lists the hosts")
		p.press("down", "m")
		p.typed("use the old names")
		p.press("enter")
		require.Contains(t, p.text(), "its host does not answer")
		p.press("m")
		require.Contains(t, p.text(), "› use the old names")
		p.press("esc", "end", "m")
		require.Contains(t, p.text(), "is not open: enter opens it")
		p.press("q")
		ending := <-p.ended
		require.Len(t, ending.Drafts, 1)
		for id, text := range ending.Drafts {
			require.Equal(t, "02 use the old names", last(id)+" "+text)
		}
	})
}

// Its host takes a while, and the screen is left meanwhile.
func TestAMessageOfWhichNothingWasHeardIsStillADraft(t *testing.T) {
	for name, wait := range map[string]time.Duration{"taken": time.Second, "not heard of": time.Hour} {
		t.Run(name, func(t *testing.T) {
			taken := false
			play(t, 80, 24, func(t *testing.T, p *program) {
				p.press("down", "m")
				p.typed("use the old names")
				p.press("enter", "q")
				p.pass(10 * time.Second)
				ending := <-p.ended
				require.Equal(t, wait < time.Minute, taken)
				require.Equal(t, !taken, len(ending.Drafts) == 1, "%v", ending.Drafts)
			}, func(o *Options) {
				o.Send = func(ctx context.Context, _ lifecycle.SessionID, _ string) error {
					select {
					case <-ctx.Done():
						return ctx.Err()
					case <-time.After(wait):
						taken = true
						return nil
					}
				}
			})
		})
	}
}

func TestAFilterKeepsTheSessionsThatHaveItsWords(t *testing.T) {
	play(t, 120, 40, func(t *testing.T, p *program) {
		p.press("/")
		p.typed("SHOP ti")
		text := p.text()
		require.Contains(t, text, "tidy up")
		require.NotContains(t, text, "fetch the rates")
		require.NotContains(t, text, "audit all ledgers")
		p.press("enter")
		require.Contains(t, p.text(), "/SHOP ti")
		p.press("esc")
		require.Contains(t, p.text(), "audit all ledgers")
		p.press("/")
		p.typed("a30a")
		require.Contains(t, p.text(), "try the new model", "by its id")
		p.typed("zzz")
		require.Contains(t, p.text(), "nothing matches")
		p.press("esc")
		require.Contains(t, p.text(), "audit all ledgers")
		require.Contains(t, p.selected(), "try the new model", "the selection stays where it was left")
	})
}

func TestASessionBeginsInTheFolderThatIsAskedFor(t *testing.T) {
	for _, key := range []string{"n", "+"} {
		play(t, 80, 24, func(t *testing.T, p *program) {
			p.press("down", "down", key)
			require.Contains(t, p.text(), "› /home/ada/src/ledger")
			p.typed("\x15") // ctrl+u
			p.typed("src")
			p.press("enter")
			require.Contains(t, p.text(), "no folder src")
			p.press("esc", key, "up")
			require.Contains(t, p.text(), "› /home/ada/src/shop", "the folder of the first line")
			p.typed("\x15/home")
			p.press("tab")
			require.Contains(t, p.text(), "› /home/l", "what all begin with")
			p.typed("\x15/home/ada")
			p.press("enter")
			require.Equal(t, Ending{Begin: "/home/ada"}, <-p.ended)
		})
	}
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.pass(settled)
		p.press("+")
		require.Contains(t, p.text(), "a new session in", "+ begins one on a question too")
	})
}

func TestSpaceLooksInAndEscClosesWhatCoversTheList(t *testing.T) {
	play(t, 40, 10, func(t *testing.T, p *program) {
		p.press("down", "down")
		require.NotContains(t, p.text(), "tests come last")
		p.press("space")
		require.Contains(t, p.text(), "8 subagents")
		p.press("down")
		require.Contains(t, p.text(), "migrate the tests")
		p.press("esc")
		p.pass(time.Second)
		require.Contains(t, p.selected(), "migrate the t")
	})
	play(t, 80, 24, func(t *testing.T, p *program) {
		require.Contains(t, p.text(), "3 of 5 slots")
		p.press("space")
		require.NotContains(t, p.text(), "3 of 5 slots")
		require.Contains(t, p.text(), "untitled", "the list has the room")
		p.press("space")
		require.Contains(t, p.text(), "3 of 5 slots")
	})
}

func TestTheConversationIsReadAgainWhenItsLineChanges(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		peeks := func() int {
			p.mu.Lock()
			defer p.mu.Unlock()
			n := strings.Count(strings.Join(p.acts, "\n"), "peek 01")
			return n
		}
		require.Equal(t, 1, peeks())
		p.pass(time.Minute)
		require.Equal(t, 1, peeks(), "nothing has changed")
		for i := range 100 {
			changed := twelve(time.Now())
			for j := range changed.Sessions {
				changed.Sessions[j].Tokens += int64(i + 1)
			}
			p.show(changed)
			p.pass(50 * time.Millisecond)
		}
		p.pass(2 * time.Second)
		require.InDelta(t, 6, peeks(), 1, "once a second at most")
	})
}

func TestTheHelpIsOpenedAndClosed(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.press("?")
		require.Contains(t, p.text(), "The sessions")
		p.press("pgdown")
		require.NotContains(t, p.text(), "The sessions")
		p.press("q")
		require.Contains(t, p.selected(), "fix the rounding")
	})
}

func TestSuspendLetsGoOfTheTerminalAndComesBack(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.press("down", "ctrl+l", "ctrl+z")
		p.pass(time.Second) // the library waits for its reader, which no pipe wakes
		require.Equal(t, []string{"suspend"}, p.taken())
		require.Contains(t, p.selected(), "write the release notes")
	})
}

func TestTheMouseSelectsAndScrolls(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.press("space")
		lines := strings.Split(p.text(), "\n")
		row := 0
		for i, line := range lines {
			if strings.Contains(line, "tidy up") {
				row = i
			}
		}
		p.typed(fmt.Sprintf("\x1b[<0;10;%dM\x1b[<0;10;%dm", row+1, row+1))
		require.Contains(t, p.selected(), "tidy up")
		p.typed("\x1b[<0;10;1M\x1b[<0;10;1m")
		require.Contains(t, p.selected(), "tidy up", "the head is no line")
	})
	play(t, 40, 10, func(t *testing.T, p *program) {
		p.typed("\x1b[<65;10;5M")
		require.Empty(t, p.selected(), "the selection is out of sight")
		p.typed("\x1b[<64;10;5M")
		require.Contains(t, p.selected(), "fix the round")
	})
}

// Nothing turns and nothing ticks: until an age reads differently nothing is drawn at all.
func TestNothingIsWrittenAtRest(t *testing.T) {
	play(t, 120, 40, func(t *testing.T, p *program) {
		rest := Picture{Sessions: twelve(time.Now()).Sessions[:0:0]}
		for _, s := range twelve(time.Now()).Sessions {
			if s.Need >= Unread {
				s.Since = time.Now().Add(-50 * time.Hour)
				rest.Sessions = append(rest.Sessions, s)
			}
		}
		p.show(rest)
		_ = p.text()
		p.pass(time.Minute)
		p.mu.Lock()
		before := p.written
		p.mu.Unlock()
		p.pass(20 * time.Hour)
		p.mu.Lock()
		defer p.mu.Unlock()
		require.Equal(t, before, p.written)
	})
}

func TestAnAgeGoesOnByItself(t *testing.T) {
	play(t, 120, 40, func(t *testing.T, p *program) {
		p.show(Picture{Sessions: []Session{{ID: "aa", Title: "one", Need: Recent, State: lifecycle.StateCompleted, Since: time.Now().Add(-90 * time.Second)}}})
		require.Regexp(t, `completed\s+1m`, p.selected())
		p.pass(time.Minute)
		require.Regexp(t, `completed\s+2m`, p.selected())
	})
}

func TestTheSelectionStaysOnItsSession(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		p.press("down", "down", "down")
		require.Contains(t, p.selected(), "migrate the tests")
		changed := twelve(time.Now())
		for i := range changed.Sessions {
			if s := &changed.Sessions[i]; last(s.ID) == "04" {
				s.Need = Recent
			}
		}
		p.show(changed)
		require.Contains(t, p.selected(), "migrate the tests")
		for i := range changed.Sessions {
			if last(changed.Sessions[i].ID) == "04" {
				changed.Sessions = append(changed.Sessions[:i:i], changed.Sessions[i+1:]...)
				break
			}
		}
		p.show(changed)
		require.NotEmpty(t, p.selected(), "another one takes the place of one that is gone")
	})
}

func TestTheSelectionBeginsWithWhoNeedsTheUserOnceTheHostsHaveSpoken(t *testing.T) {
	for _, moved := range []bool{false, true} {
		play(t, 80, 24, func(t *testing.T, p *program) {
			if moved {
				p.press("down")
			}
			chosen := strings.Fields(p.selected())[2]
			p.show(twelve(time.Now()))
			if moved {
				require.Contains(t, p.selected(), chosen, "what was chosen meanwhile stays")
			} else {
				require.Contains(t, p.selected(), "fix the rounding")
			}
		}, func(o *Options) {
			follow, partial := o.Follow, true
			o.Follow = func(ctx context.Context, show func(Picture)) error {
				return follow(ctx, func(p Picture) {
					for i := range p.Sessions {
						if partial { // the first one
							p.Sessions[i].Need, p.Sessions[i].Question = Recent, nil
						}
					}
					p.Partial, partial = partial, false
					show(p)
				})
			}
		})
	}
}

func TestTheListThatCanNoLongerBeFollowedSaysSo(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		require.Contains(t, p.text(), "the list stands still: the database is locked")
	}, func(o *Options) {
		o.Follow = func(_ context.Context, show func(Picture)) error {
			show(twelve(time.Now()))
			return errors.New("the database is locked")
		}
	})
}
