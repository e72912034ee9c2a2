package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/gowebpki/jcs"
)

// Digest identifies what an announcement says: the SHA-256, in hexadecimal, of
// the canonical form (RFC 8785) of {"service": …, "tools": […]}. Two instances
// with one digest announce the same tools. Malformed tools do not count.
func Digest(service ToolService, tools []Tool) (string, error) {
	if tools == nil {
		tools = []Tool{}
	}
	data, err := json.Marshal(struct {
		Service ToolService `json:"service"`
		Tools   []Tool      `json:"tools"`
	}{service, tools})
	if err != nil {
		return "", fmt.Errorf("digest service %q: %w", service.ID, err)
	}
	return digest(data)
}

// PayloadDigest is the digest of an announce message's payload as it was sent,
// malformed tools included: what its property "digest" must say.
func PayloadDigest(payload []byte) (string, error) {
	var part struct {
		Service json.RawMessage `json:"service"`
		Tools   json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(payload, &part); err != nil {
		return "", fmt.Errorf("digest of an announcement: %w", err)
	}
	data, err := json.Marshal(part)
	if err != nil {
		return "", fmt.Errorf("digest of an announcement: %w", err)
	}
	return digest(data)
}

func digest(data []byte) (string, error) {
	canonical, err := jcs.Transform(data)
	if err != nil {
		return "", fmt.Errorf("canonical form (RFC 8785): %w", err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}
