package mask

// finder reports whether a text contains one of some words. It looks at every pair of bytes
// once, however many words there are; few texts contain a pair with which a word begins.
type finder struct {
	words [256][]string // by their first byte
	pairs [1 << 16 / 64]uint64
}

func newFinder(words []string) *finder {
	f := &finder{}
	for _, word := range words {
		f.words[word[0]] = append(f.words[word[0]], word)
		if len(word) > 1 {
			f.add(word[0], word[1])
			continue
		}
		for next := range 256 { // any byte may follow
			f.add(word[0], byte(next))
		}
	}
	return f
}

func (f *finder) add(first, second byte) {
	pair := uint16(first)<<8 | uint16(second)
	f.pairs[pair/64] |= 1 << (pair % 64)
}

// in reports whether s contains one of the words.
func (f *finder) in(s string) bool { return holds(f, s) }

// holds is in for strings and byte slices, without copying.
func holds[T string | []byte](f *finder, s T) bool {
	for i := range len(s) - 1 {
		pair := uint16(s[i])<<8 | uint16(s[i+1])
		if f.pairs[pair/64]&(1<<(pair%64)) != 0 && begins(f, s[i:]) {
			return true
		}
	}
	return len(s) > 0 && begins(f, s[len(s)-1:])
}

// begins reports whether s begins with one of the words.
func begins[T string | []byte](f *finder, s T) bool {
	for _, word := range f.words[s[0]] {
		if len(word) <= len(s) && string(s[:len(word)]) == word {
			return true
		}
	}
	return false
}
