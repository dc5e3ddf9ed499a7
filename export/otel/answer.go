package otel

import "google.golang.org/protobuf/encoding/protowire"

// refused reads an ExportTraceServiceResponse: how many spans the collector did not take,
// and why. What is none says nothing.
func refused(answer []byte) (spans int64, why string) {
	each(answer, func(field protowire.Number, body []byte, _ uint64) {
		if field != 1 { // partial_success
			return
		}
		each(body, func(field protowire.Number, body []byte, value uint64) {
			if field == 1 {
				spans = int64(value)
			}
			if field == 2 {
				why = string(body)
			}
		})
	})
	return spans, why
}

// each walks the fields of a message, as far as it is one.
func each(b []byte, field func(number protowire.Number, body []byte, value uint64)) {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		b = b[n:]
		var body []byte
		var value uint64
		switch kind {
		case protowire.BytesType:
			body, n = protowire.ConsumeBytes(b)
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return
		}
		field(number, body, value)
		b = b[n:]
	}
}
