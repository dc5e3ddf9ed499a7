package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream/eventstreamapi"
)

// fromBedrock reads Amazon's binary events as the lines that Anthropic sends. It is read by one
// goroutine.
type fromBedrock struct {
	body    io.ReadCloser
	decoder *eventstream.Decoder
	rest    bytes.Buffer
}

func newFromBedrock(body io.ReadCloser) *fromBedrock {
	return &fromBedrock{body: body, decoder: eventstream.NewDecoder()}
}

// Read implements io.Reader.
func (f *fromBedrock) Read(p []byte) (int, error) {
	for f.rest.Len() == 0 {
		message, err := f.decoder.Decode(f.body, nil)
		if err != nil {
			return 0, err // io.EOF between two messages, else it was cut or damaged
		}
		f.write(message)
	}
	return f.rest.Read(p)
}

// Close implements io.Closer.
func (f *fromBedrock) Close() error { return f.body.Close() }

func (f *fromBedrock) write(m eventstream.Message) {
	kind := header(m, eventstreamapi.MessageTypeHeader)
	if kind == eventstreamapi.EventMessageType {
		var chunk struct {
			Bytes []byte `json:"bytes"`
		}
		if json.Unmarshal(m.Payload, &chunk) == nil && len(chunk.Bytes) > 0 {
			fmt.Fprintf(&f.rest, "data: %s\n\n", bytes.ReplaceAll(chunk.Bytes, []byte("\n"), []byte(" ")))
		}
		return
	}
	said := struct {
		Message string `json:"message"`
	}{header(m, eventstreamapi.ErrorMessageHeader)}
	_ = json.Unmarshal(m.Payload, &said) // then the header's words stand
	failed, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": bedrockFault(m), "message": said.Message}})
	fmt.Fprintf(&f.rest, "event: error\ndata: %s\n\n", failed)
}

// bedrockFault is Anthropic's word for what went wrong.
func bedrockFault(m eventstream.Message) string {
	switch header(m, eventstreamapi.ExceptionTypeHeader) {
	case "throttlingException":
		return "rate_limit_error"
	case "modelTimeoutException":
		return "timeout_error"
	case "serviceUnavailableException":
		return "overloaded_error"
	case "validationException":
		return "invalid_request_error"
	}
	return "api_error"
}

func header(m eventstream.Message, name string) string {
	if value := m.Headers.Get(name); value != nil {
		return value.String()
	}
	return ""
}
