package html

import (
	"fmt"
	"html"
	"net/url"
	"strconv"

	"pawl/lifecycle"
)

// markup is HTML: ours, or text of others that writer.markup escaped. Only
// constants and this file make one.
type markup string

// put writes markup of ours. Every %s in it takes one argument, and what that may
// be is what markup says.
func (w *writer) put(format markup, args ...any) {
	_, _ = w.buf.WriteString(string(w.markup(format, args...)))
}

// markup is the one way onto a page. An argument that is markup goes in as it is; a
// number as its digits; anything else is text of others: cleaned of whatever acts
// or hides, masked, and escaped for a text as for an attribute in double quotes. So
// what forgets to be markup is shown as it is spelled, never obeyed.
func (w *writer) markup(format markup, args ...any) markup {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch a := arg.(type) {
		case markup:
			safe[i] = string(a)
		case int:
			safe[i] = strconv.Itoa(a)
		case float64:
			safe[i] = strconv.FormatFloat(a, 'f', 3, 64)
		case lifecycle.Seq:
			safe[i] = strconv.FormatInt(int64(a), 10)
		default:
			safe[i] = html.EscapeString(w.Readable(fmt.Sprint(a)))
		}
	}
	return markup(fmt.Sprintf(string(format), safe...))
}

// link is a text that leads out of the page, if its address is one of the web. Any
// other address is shown behind the text, and leads nowhere.
func (w *writer) link(address string, text markup) markup {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || w.Readable(address) != address {
		return w.markup("%s <code>%s</code>", text, address)
	}
	return w.markup("<a href=\"%s\" rel=\"noreferrer noopener\" target=\"_blank\">%s</a>", address, text)
}
