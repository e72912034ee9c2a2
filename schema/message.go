package schema

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// PropertyID is the message property that ties a response to its request.
const PropertyID = "id"

// ToolServiceRequest is what a tool service receives on its request queue.
type ToolServiceRequest struct {
	// User is in the specification and gone since release 2.4 of TrustGraph,
	// which ignores it; it is always sent.
	User string `json:"user"`
	// Config and Arguments are JSON objects as text.
	Config    string `json:"config"`
	Arguments string `json:"arguments"`
}

// ToolServiceResponse is one message of a tool service's answer.
type ToolServiceResponse struct {
	// Error is nil on success; it is never sent as an empty object, which
	// TrustGraph's client takes for a failure.
	Error *ServiceError `json:"error"`
	// Response is the result: text, or JSON as text.
	Response    string `json:"response"`
	EndOfStream bool   `json:"end_of_stream"`
}

// ServiceError is a failure as a tool service reports it.
type ServiceError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Error returns the message, with the type where it says something.
func (e *ServiceError) Error() string {
	if e.Type == "" || e.Type == ErrorType {
		return e.Message
	}
	return fmt.Sprintf("%s: %s", e.Type, e.Message)
}

// ErrorType is the type of every error of TrustGraph's own base class.
const ErrorType = "tool-service-error"

// ParseRequest reads a request; fields that are missing or null are empty.
func ParseRequest(payload []byte) (ToolServiceRequest, error) {
	var r ToolServiceRequest
	if err := parseMessage(payload, &r); err != nil {
		return r, fmt.Errorf("tool service request: %w", err)
	}
	return r, nil
}

// ParseResponse reads a response; fields that are missing or null take their
// defaults. The payload "null" is a fault, since it says nothing.
func ParseResponse(payload []byte) (ToolServiceResponse, error) {
	var r ToolServiceResponse
	if err := parseMessage(payload, &r); err != nil {
		return r, fmt.Errorf("tool service response: %w", err)
	}
	return r, nil
}

func parseMessage(payload []byte, v any) error {
	if len(payload) == 0 || payload[0] != '{' || !utf8.Valid(payload) {
		// Names the fault; what passes has only white space in front.
		if err := CheckJSON(payload, len(payload)); err != nil {
			return err
		}
	}
	return json.Unmarshal(payload, v)
}
