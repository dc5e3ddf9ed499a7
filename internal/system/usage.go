package system

// Exit codes of the command line itself; those of a prompt are in ui/headless.
const (
	ExitDone  = 0
	ExitError = 1
	ExitUsage = 2
)

// UsageError is a mistake on the command line or in the settings: exit code 2.
type UsageError struct {
	// Message is what the user reads: one line, or one for each setting that cannot be used.
	Message string
}

func (e *UsageError) Error() string { return e.Message }

// Usage returns a *UsageError with this message.
func Usage(message string) error { return &UsageError{Message: message} }
