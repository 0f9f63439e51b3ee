// Package corpus keeps turn pairs and finds them: change signals, index,
// search, windows.
//
// An Indexer is the one writer of a corpus; a Corpus is one of any number of
// readers, in this process or another. The package does not know any transcript
// format, reads no environment, and prints nothing.
//
// # Who may do what, and for how long
//
// A Corpus may stay open for as long as its program runs: each call sees what was
// published last, by whichever process, and what it returns is the caller's. It costs
// files held open, which Close gives back; calls after that fail with ErrClosed.
//
// An Indexer keeps all others from writing, in this process and in others, and not from
// reading. Where several programs write to one corpus each opens it for a run, as Sync does,
// and Config.Wait says for how long it waits for its turn; one that is not let in has changed
// nothing. A writer that is killed leaves what it published last, and its lock goes with it.
// An Indexer that stays open serves a program of which the corpus is its own: what Add took
// is found through Snapshot at once, which is a Corpus that stays as it is until it is closed.
//
// A context that is done ends a call with its error, and leaves the corpus as it was. Sources
// and strategies are called on several goroutines at once, and may not call the Indexer that
// calls them.
//
// # Errors
//
// Those that call for something to be done: ErrNoCorpus (index first), ErrNewer (update the
// program), ErrClosed, ErrNotFound and with it *IDError (which ids begin so), *LockedError (who
// writes), *DamageError (Repair; the rest can still be searched), *QueryError (what is wrong,
// and where). A transcript that cannot be read fails no Sync: Report.Skipped tells.
package corpus
