// Package corpus keeps turn pairs and finds them: change signals, index,
// search, windows.
//
// An Indexer is the one writer of a corpus; a Corpus is one of any number of
// readers, in this process or another. The package does not know any transcript
// format, reads no environment, and prints nothing.
package corpus
