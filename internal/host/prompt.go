package host

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"pawl/internal/system"
)

// maxStandardInput limits what is read as part of the prompt, in bytes.
const maxStandardInput = 10 << 20

// Standard input that nobody closes, as with ssh, cron jobs and programs that start others,
// never ends. After hintAfter people are told about it; if nothing has come after silenceLimit
// and the command line has a prompt, Pawl goes on without it. A minute, because what is piped in
// may have to be compiled first.
const (
	hintAfter    = 3 * time.Second
	silenceLimit = time.Minute
)

// Prompt joins the words of the command line and standard input, unless that is a terminal;
// empty if there is neither. It writes to tell what it waits for.
func Prompt(words []string, in io.Reader, tell io.Writer) (string, error) {
	prompt := strings.Join(words, " ")
	if file, ok := in.(*os.File); !ok || !term.IsTerminal(file.Fd()) {
		piped, err := standardInput(in, strings.TrimSpace(prompt) != "", tell)
		if err != nil {
			return "", system.Usage("read the prompt from standard input: " + err.Error())
		}
		if len(piped) > maxStandardInput {
			return "", system.Usage("standard input is more than 10 MB, too much for a prompt: put it into a file of this folder and name that")
		}
		prompt = strings.TrimSpace(prompt + "\n\n" + string(piped))
	}
	return prompt, nil
}

// piped is what was read from standard input.
type piped struct {
	text []byte
	err  error
}

// standardInput reads standard input to its end. Once a byte has come it waits for the end,
// however long that takes; if none comes and there is another prompt, it gives up.
func standardInput(in io.Reader, prompted bool, tell io.Writer) ([]byte, error) {
	first := make(chan struct{})
	ended := make(chan piped, 1) // an abandoned reader ends with the process
	go func() {
		text, err := io.ReadAll(&starting{r: io.LimitReader(in, maxStandardInput+1), began: sync.OnceFunc(func() { close(first) })})
		ended <- piped{text, err}
	}()
	hint, limit := time.NewTimer(hintAfter), time.NewTimer(silenceLimit)
	defer hint.Stop()
	defer limit.Stop()
	for began := first; ; {
		select {
		case p := <-ended:
			return p.text, p.err
		case <-began:
			began = nil
			limit.Stop()
		case <-hint.C:
			switch {
			case !prompted:
				fmt.Fprintln(tell, `pawl: waiting for the end of standard input, which is the prompt: to give it here, pawl -p "…" </dev/null`)
			case began == nil:
				fmt.Fprintln(tell, "pawl: waiting for the end of standard input: use </dev/null if it is not part of the prompt")
			default:
				fmt.Fprintf(tell, "pawl: waiting up to %s for standard input: use </dev/null if it is not part of the prompt\n", silenceLimit)
			}
		case <-limit.C:
			if prompted {
				fmt.Fprintln(tell, "pawl: nothing came on standard input: going on without it")
				return nil, nil
			}
		}
	}
}

// starting is a reader that reports its first byte.
type starting struct {
	r     io.Reader
	began func()
}

func (s *starting) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if n > 0 {
		s.began()
	}
	return n, err
}
