package changes

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// digits are git's for five of them in place of four bytes.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// lineBytes is how many bytes git puts in a line of a binary patch.
const lineBytes = 52

// literal is a whole content as one part of git's binary patch.
func literal(content string) string {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write([]byte(content)) // a buffer takes all
	_ = z.Close()
	var b strings.Builder
	fmt.Fprintf(&b, "literal %d\n", len(content))
	for rest := packed.Bytes(); len(rest) > 0; {
		line := rest[:min(len(rest), lineBytes)]
		rest = rest[len(line):]
		b.WriteByte(lengthSign(len(line)))
		b.WriteString(encode85(line))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.String()
}

// lengthSign says how many bytes a line stands for: A to Z for 1 to 26, then a to z.
func lengthSign(n int) byte {
	if n <= 26 {
		return byte('A' + n - 1)
	}
	return byte('a' + n - 27)
}

// encode85 writes each four bytes, the last filled up with zeros, as five digits.
func encode85(raw []byte) string {
	var b strings.Builder
	for ; len(raw) > 0; raw = raw[min(4, len(raw)):] {
		var word uint32
		for i := range 4 {
			word <<= 8
			if i < len(raw) {
				word |= uint32(raw[i])
			}
		}
		var five [5]byte
		for i := 4; i >= 0; i-- {
			five[i], word = digits[word%85], word/85
		}
		b.Write(five[:])
	}
	return b.String()
}
