package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// shellCall starts a shell from a worker, as a loop would with the call answered.
func shellCall(port *Port, command string) (Run, error) {
	call := CallID("call-" + command)
	if err := port.Record(nil, ToolStarted{Call: call, Tool: "shell"}); err != nil {
		return Run{}, err
	}
	run, err := port.Scope().StartShell(Spec{Call: call, Command: command})
	return run, errors.Join(err, answer(port, call))
}

// shelling is a worker that starts these commands, waits until it may end, and takes
// another step before it does.
func shelling(until <-chan struct{}, commands ...string) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		for _, command := range commands {
			if _, err := shellCall(port, command); err != nil {
				return Outcome{Err: err}
			}
		}
		select {
		case <-until:
		case <-ctx.Done():
			return Outcome{Err: context.Cause(ctx)}
		}
		_, err := port.Step()
		return Outcome{Text: "ok", Err: err}
	}
}

// commands lets shells of this stage do what their command line names.
func commands(does map[string]func(context.Context, *Port) Outcome) func(*Options) {
	return func(o *Options) {
		work := o.Work
		o.Work = func(ctx context.Context, port *Port) Outcome {
			if run := port.Run(); run.Shell() {
				return does[run.Command](ctx, port)
			}
			return work(ctx, port)
		}
	}
}

// serves is a command that runs until it is stopped.
func serves(ctx context.Context, _ *Port) Outcome {
	<-ctx.Done()
	return Outcome{Text: "served", Err: context.Cause(ctx)}
}

func exits(code int, output string) func(context.Context, *Port) Outcome {
	return func(context.Context, *Port) Outcome {
		out := Outcome{Text: output, ExitCode: &code}
		if code != 0 {
			out.Err = &Failure{Kind: FailProcess, Message: fmt.Sprintf("exit code %d", code)}
		}
		return out
	}
}

// opened is closed at once.
func opened() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func TestHowAShellEnds(t *testing.T) {
	stop := func(cause Cause) func(*stage) {
		return func(st *stage) { st.do(Stop{Session: st.child("it").Session, Cause: cause}) }
	}
	nothing := func(*stage) {}
	for name, c := range map[string]struct {
		does   func(context.Context, *Port) Outcome
		then   func(*stage)
		state  State
		cause  Cause
		kind   FailureKind
		result string
	}{
		"exit code 0":          {exits(0, "built"), nothing, StateCompleted, "", "", "built"},
		"exit code 0, silent":  {exits(0, " \n"), nothing, StateCompleted, "", "", NoOutput},
		"another exit code":    {exits(2, "no such file"), nothing, StateFailed, "", FailProcess, "no such file"},
		"it could not start":   {cannotBegin, nothing, StateFailed, "", FailSetup, NoOutput},
		"a key":                {serves, stop(CauseKey), StateCanceledByUser, CauseKey, "", "served"},
		"stop all":             {serves, func(st *stage) { st.do(StopAll{Root: root, Cause: CauseKey}) }, StateCanceledByUser, CauseKey, "", "served"},
		"the end of Pawl":      {serves, func(st *stage) { require.NoError(st.t, st.s.Close(context.Background(), CauseProcessEnd)) }, StateInterrupted, CauseProcessEnd, "", "served"},
		"what it was for ends": {serves, stop(CauseRunEnd), StateCanceledByAgent, CauseRunEnd, "", "served"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"it": c.does}))
				defer st.sound()
				defer st.close()
				st.on("go", shelling(opened(), "it"))
				st.say("go")
				synctest.Wait()
				c.then(st)
				synctest.Wait()
				run := st.child("it")
				require.Equal(t, c.state, run.State)
				require.Equal(t, c.cause, run.Cause)
				require.Equal(t, c.result, run.Result)
				if c.kind != "" {
					require.Equal(t, c.kind, run.Error.Kind)
				}
				require.Zero(t, run.Step)
				require.Equal(t, c.cause != CauseRunEnd, run.Notification != nil)
			})
		})
	}
}

func TestAShellThatEndsWakesItsIdleParentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"make": func(ctx context.Context, port *Port) Outcome {
			<-end
			return exits(3, "broken")(ctx, port)
		}}))
		defer st.sound()
		defer st.close()
		st.on("go", shelling(opened(), "make"))
		st.say("go")
		synctest.Wait()
		require.Len(t, st.runs(), 2, "the parent has gone on, and ended")
		close(end)
		synctest.Wait()
		runs := st.runs()
		require.Len(t, runs, 3)
		require.Equal(t, TriggerNotification, runs[2].Trigger)
		require.Equal(t, runs[2].ID, st.child("make").Notification.InRun)
		var notice Notice
		for _, entry := range st.journal.entries {
			if entry.Kind == EntryNotification {
				require.NoError(t, json.Unmarshal(entry.Body, &notice))
			}
		}
		require.Equal(t, []any{KindShell, "make", 3, "broken", 0}, []any{notice.Kind, notice.Command, *notice.ExitCode, notice.Result, notice.Remaining})
	})
}

func TestASubagentsShellTellsItWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"make": exits(0, "made")}))
		defer st.sound()
		defer st.close()
		st.on("go", launching("child"))
		st.on("child", shelling(goOn, "make"))
		st.say("go")
		synctest.Wait()
		require.True(t, st.child("make").Notification.Pending())
		require.Len(t, st.runs(), 3, "the root is not woken by what is not its own")
		close(goOn)
		synctest.Wait()
		child := st.child("child")
		require.Equal(t, StateCompleted, child.State)
		told := st.child("make").Notification
		require.Equal(t, []any{child.ID, 2}, []any{told.InRun, told.Step})
	})
}

func TestASubagentsShellsEndWithItsRunAndNobodyIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		child func(context.Context, *Port) Outcome
		then  func(*stage)
	}{
		"it completed": {shelling(opened(), "serve"), func(*stage) {}},
		"it failed":    {failing1, func(*stage) {}},
		"it panicked": {func(_ context.Context, port *Port) Outcome {
			_, _ = shellCall(port, "serve")
			panic("index out of range")
		}, func(*stage) {}},
		"a key stopped it": {shelling(nil, "serve"), func(st *stage) { st.do(Stop{Session: st.child("child").Session, Cause: CauseKey}) }},
		"its end got lost": {shelling(nil, "serve"), func(st *stage) {
			st.journal.fails(1)
			st.s.Do(st.t.Context(), Stop{Session: st.child("child").Session, Cause: CauseKey})
		}},
		"it is slow to end": {slowly, func(st *stage) { st.do(Stop{Session: st.child("child").Session, Cause: CauseKey}) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var serving atomic.Int32
				st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"serve": func(ctx context.Context, port *Port) Outcome {
					serving.Add(1)
					defer serving.Add(-1)
					return serves(ctx, port)
				}}))
				defer st.close()
				st.on("go", launching("child"))
				st.on("child", c.child)
				st.say("go")
				synctest.Wait()
				c.then(st)
				pass(stopGrace)
				require.Zero(t, serving.Load(), "the shell outlives its run")
				st.journal.heals()
				pass(5 * stopGrace)
				shell := st.child("serve")
				if name == "its end got lost" {
					return // the journal refused the shell's as well
				}
				require.Equal(t, []any{StateCanceledByAgent, CauseRunEnd}, []any{shell.State, shell.Cause})
				require.Nil(t, shell.Notification)
				st.sound()
			})
		})
	}
}

// failing1 starts a shell and fails.
func failing1(ctx context.Context, port *Port) Outcome {
	if out := shelling(opened(), "serve")(ctx, port); out.Err != nil {
		return out
	}
	return Outcome{Err: &Failure{Kind: FailProvider, Message: "down"}}
}

// slowly starts a shell and takes long to end once it is stopped.
func slowly(ctx context.Context, port *Port) Outcome {
	out := shelling(nil, "serve")(ctx, port)
	pass(3 * stopGrace)
	return out
}

// An end that came before the subagent's, and that no step of it took in.
func TestWhatASubagentWasStillToHearOfItsShellIsWithdrawnWithItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"make": exits(0, "made")}))
		defer st.sound()
		defer st.close()
		st.on("go", launching("child"))
		st.on("child", shelling(nil, "make"))
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: st.child("child").Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, ByRunEnd, st.child("make").Notification.WithdrawnBy)
		require.Equal(t, StateCompleted, st.child("make").State)
	})
}

func TestShellsBeyondTheLimitAreRefusedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"one": serves, "two": serves, "three": serves, "four": serves}),
			func(o *Options) { o.Limits.Shells = 3 })
		defer st.sound()
		defer st.close()
		var refused error
		more := make(chan struct{})
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if out := shelling(opened(), "one", "two")(ctx, port); out.Err != nil {
				return out
			}
			_, err := launch(port, "child", true)
			<-more
			_, refused = shellCall(port, "four")
			return Outcome{Text: "ok", Err: err}
		})
		st.on("child", shelling(nil, "three"))
		st.say("go")
		synctest.Wait()
		close(more)
		synctest.Wait()
		require.ErrorIs(t, refused, ErrShellLimit)
		for _, words := range []string{`"one"`, `"two"`, `"three"`, "Do not retry", string(st.child("one").Session)} {
			require.ErrorContains(t, refused, words)
		}
		require.Equal(t, StateRunning, st.child("child").State, "shells take no slot")
	})
}

func TestAShellTakesNoMessageAndIsNotContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"serve": serves}))
		defer st.sound()
		defer st.close()
		var errs []error
		shellSession := make(chan SessionID, 1)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			run, err := shellCall(port, "serve")
			_, send := port.Scope().Send(run.Session, "hello", "c")
			_, resume := port.Scope().Start(Spec{Prompt: "on"}, run.Session)
			errs = append(errs, send, resume)
			shellSession <- run.Session
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		synctest.Wait()
		session := <-shellSession
		for _, command := range []Command{Send{Session: session, Text: "hello"}, Continue{Session: session}, Detach{Session: session}, Grant{Session: session}} {
			_, err := st.s.Do(t.Context(), command)
			errs = append(errs, err)
		}
		for i, err := range errs {
			require.Error(t, err, "%d", i)
		}
		require.Equal(t, StateRunning, st.child("serve").State)
	})
}

func TestAfterACrashAShellIsInterruptedAndToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		does := commands(map[string]func(context.Context, *Port) Outcome{"serve": serves, "inner": serves})
		st := newStage(t, does)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if out := shelling(opened(), "serve")(ctx, port); out.Err != nil {
				return out
			}
			_, err := launch(port, "child", true)
			return Outcome{Text: "ok", Err: err}
		})
		st.on("child", shelling(nil, "inner"))
		st.say("go")
		synctest.Wait()
		st.crash()
		st.open(does)
		defer st.sound()
		defer st.close()
		for _, command := range []string{"serve", "inner"} {
			require.Equal(t, []any{StateInterrupted, CauseProcessEnd}, []any{st.child(command).State, st.child(command).Cause})
		}
		require.True(t, st.child("serve").Notification.Pending())
		require.Equal(t, ByRunEnd, st.child("inner").Notification.WithdrawnBy, "its subagent was cut off with it")
		st.say("go on")
		synctest.Wait()
		require.NotEmpty(t, st.child("serve").Notification.InRun)
	})
}

func TestWhoReadsOrStopsItsShellIsNotToldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"make": exits(0, "made"), "serve": serves}))
		defer st.sound()
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			read, err := shellCall(port, "make")
			if err != nil {
				return Outcome{Err: err}
			}
			read, err = port.Scope().Await(ctx, read.ID, time.Minute)
			if err == nil {
				err = answer(port, "call-output", told(read, ByShellOutput)...)
			}
			if err != nil {
				return Outcome{Err: err}
			}
			stopped, err := shellCall(port, "serve")
			if err == nil {
				stopped, err = port.Scope().Stop(stopped.Session, "enough")
			}
			return Outcome{Text: "ok", Err: errors.Join(err, answer(port, "call-kill", told(stopped, ByShellKill)...))}
		})
		st.say("go")
		synctest.Wait()
		require.Len(t, st.runs(), 3, "nothing wakes the parent")
		require.Equal(t, ByShellOutput, st.child("make").Notification.WithdrawnBy)
		require.Nil(t, st.child("serve").Notification)
		require.Equal(t, ByShellKill, st.child("serve").Consumed.By)
		require.Equal(t, StateCanceledByAgent, st.child("serve").State)
	})
}

// The user's own commands.

func TestAnOwnCommandIsReadByItsSessionAndWakesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"ls": exits(1, "no such file"), "top": serves}))
		defer st.sound()
		defer st.close()
		first := st.do(RunShell{Session: root, Command: "ls"}).Runs[0]
		synctest.Wait()
		run := st.run(first.ID)
		require.True(t, run.UserShell())
		require.Equal(t, StateFailed, run.State)
		require.Equal(t, "/src", run.Folder)
		require.True(t, run.Notification.Pending(), "nobody has asked the model anything yet")
		require.Len(t, st.runs(), 1, "no model was woken")

		parent := st.say("what is it?")
		synctest.Wait()
		require.Equal(t, parent.ID, st.run(first.ID).Notification.InRun, "it goes with the first message")

		second := st.do(RunShell{Session: root, Command: "ls"}).Runs[0]
		synctest.Wait()
		require.Equal(t, parent.ID, st.run(second.ID).Consumed.InRun, "the session is idle: it is in the transcript at once")
		require.Len(t, st.runs(), 3, "and nobody was woken")
		last := st.journal.entries[len(st.journal.entries)-1]
		require.Equal(t, EntryNotification, last.Kind)
		require.Contains(t, string(last.Body), `"from":"user"`)
	})
}

func TestAnOwnCommandThatEndsWhileTheAgentWorksIsReadAtItsNextStepOrEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		step, end := make(chan struct{}), make(chan struct{})
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"ls": exits(0, "a.txt")}))
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			<-step
			_, err := port.Step()
			<-end
			return Outcome{Text: "ok", Err: err}
		})
		parent := st.say("go")
		synctest.Wait()
		one := st.do(RunShell{Session: root, Command: "ls"}).Runs[0]
		synctest.Wait()
		require.True(t, st.run(one.ID).Notification.Pending())
		close(step)
		synctest.Wait()
		require.Equal(t, 2, st.run(one.ID).Notification.Step)
		other := st.do(RunShell{Session: root, Command: "ls"}).Runs[0]
		synctest.Wait()
		require.True(t, st.run(other.ID).Notification.Pending())
		close(end)
		synctest.Wait()
		require.Equal(t, parent.ID, st.run(other.ID).Notification.InRun, "its run takes no more steps")
		require.Len(t, st.runs(), 3)
	})
}

func TestOneOwnCommandASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"top": serves}), func(o *Options) { o.Limits.Shells = 0 })
		defer st.sound()
		defer st.close()
		refused := func(command RunShell, why string) {
			_, err := st.s.Do(t.Context(), command)
			require.ErrorContains(t, err, why)
		}
		refused(RunShell{Session: root, Command: " "}, "needs a command behind it")
		refused(RunShell{Session: "nobody's", Command: "ls"}, "not found")
		top := st.do(RunShell{Session: root, Command: "top"}).Runs[0]
		synctest.Wait()
		refused(RunShell{Session: root, Command: "top"}, `your command "top" still runs here`)
		refused(RunShell{Session: top.Session, Command: "top"}, "not an agent")
		_, err := st.s.Do(t.Context(), Send{Session: top.Session, Text: "quit"})
		require.ErrorIs(t, err, errShellTakesNoMessage)
		st.do(Stop{Session: top.Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCanceledByUser, st.run(top.ID).State)
		require.Equal(t, "served", st.run(top.ID).Result)
		st.do(RunShell{Session: root, Command: "top"})
	})
}

func TestAnOwnCommandBesideASubagentOutlastsItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		st := newStage(t, commands(map[string]func(context.Context, *Port) Outcome{"ls": func(ctx context.Context, port *Port) Outcome {
			<-end
			return exits(0, "a.txt")(ctx, port)
		}}))
		defer st.sound()
		defer st.close()
		st.on("go", launching("dig"))
		st.on("dig", untilStopped)
		st.say("go")
		synctest.Wait()
		session := st.child("dig").Session
		own := st.do(RunShell{Session: session, Command: "ls"}).Runs[0]
		st.do(Stop{Session: session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateRunning, st.run(own.ID).State)
		close(end)
		synctest.Wait()
		require.Equal(t, st.child("dig").ID, st.run(own.ID).Notification.InRun, "its session reads it, not the main agent's")
	})
}

func TestAnOwnCommandOfADeadProcessIsInterruptedAndTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		top := commands(map[string]func(context.Context, *Port) Outcome{"top": serves})
		st := newStage(t, top)
		parent := st.say("go")
		synctest.Wait()
		own := st.do(RunShell{Session: root, Command: "top"}).Runs[0]
		synctest.Wait()
		found := st.journal.copy()
		st.close()
		st.journal = found
		st.open(top)
		defer st.sound()
		defer st.close()
		run := st.run(own.ID)
		require.Equal(t, StateInterrupted, run.State)
		require.Equal(t, parent.ID, run.Notification.InRun)
	})
}
