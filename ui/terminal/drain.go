package terminal

import (
	"reflect"

	tea "charm.land/bubbletea/v2"
)

// Drain takes the messages that a program that has quit would take no more, until over is closed.
// Bubble Tea's reader waits for ever to hand on a key, or an answer of the terminal, that came
// with the end: the program would wait half a second for it, and a process that shows one screen
// after another would keep a goroutine of each. If a newer version stores its messages elsewhere
// it takes none.
func Drain(program *tea.Program, over <-chan struct{}) {
	messages := messagesOf(program)
	for {
		select {
		case <-messages:
		case <-over:
			return
		}
	}
}

func messagesOf(program *tea.Program) chan tea.Msg {
	field := reflect.ValueOf(program).Elem().FieldByName("msgs")
	if !field.IsValid() || field.Type() != reflect.TypeFor[chan tea.Msg]() {
		return nil
	}
	messages, _ := reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Interface().(chan tea.Msg)
	return messages
}
