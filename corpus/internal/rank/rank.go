// Package rank says how well a text answers a query: BM25 over length codes,
// what a session's turns, title and summaries add up to, and how the first rows
// are put in their final order.
//
// It is pure arithmetic. It knows neither terms nor files: what is scored comes
// as counts, lengths and positions.
package rank
