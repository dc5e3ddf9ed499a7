package anthropic

import (
	"cmp"
	"net/http"
)

// statuses are the HTTP statuses for the types of error events
// (platform.claude.com/docs/en/api/errors).
var statuses = map[string]int{
	"invalid_request_error": http.StatusBadRequest, "authentication_error": http.StatusUnauthorized,
	"billing_error": http.StatusPaymentRequired, "permission_error": http.StatusForbidden, "not_found_error": http.StatusNotFound,
	"request_too_large": http.StatusRequestEntityTooLarge, "rate_limit_error": http.StatusTooManyRequests,
	"timeout_error": http.StatusGatewayTimeout, "overloaded_error": 529,
}

func statusOf(kind string) int { return cmp.Or(statuses[kind], http.StatusInternalServerError) }
