package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// MaxToolName is the longest tool name, in characters, that every large LLM
// provider accepts.
const MaxToolName = 64

// PortableName tells whether a tool name is accepted by every large LLM
// provider: a letter or underscore, then letters, digits, underscores and
// hyphens, at most [MaxToolName] in all (the intersection of the limits of
// OpenAI, Anthropic and Gemini).
func PortableName(name string) bool {
	if name == "" || len(name) > MaxToolName {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !portableByte(name[i], i == 0) {
			return false
		}
	}
	return true
}

func portableByte(c byte, first bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return true
	case c >= '0' && c <= '9', c == '-':
		return !first
	}
	return false
}

// Alias returns a portable name for a tool whose own name is not. It depends
// on the name only, never on which other tools there are: characters that are
// not portable become underscores, and eight hexadecimal digits of the name's
// SHA-256 keep apart what that makes alike. A portable name is returned as is.
func Alias(name string) string {
	if PortableName(name) {
		return name
	}
	const suffix = 1 + 8
	var b strings.Builder
	for i := 0; i < len(name) && b.Len() < MaxToolName-suffix; i++ {
		switch c := name[i]; {
		case portableByte(c, b.Len() == 0):
			b.WriteByte(c)
		case b.Len() == 0 && portableByte(c, false):
			b.WriteByte('_')
			b.WriteByte(c)
		case c&0xC0 != 0x80: // one underscore for each character, not for each byte
			b.WriteByte('_')
		}
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s_%s", b.String(), hex.EncodeToString(sum[:])[:suffix-1])
}
