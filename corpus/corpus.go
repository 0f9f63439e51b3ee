// Package corpus keeps turn pairs and finds them again. A corpus is a folder; the
// package does not know any transcript format, reads no environment, and prints
// nothing.
//
// An Indexer, from OpenIndexer, is the one writer of a corpus. Its Sync takes in what is
// new in the sources of its Config; the function Sync is all of that in one call. A
// program with turns of its own gives them to Indexer.Add. Nothing leaves a corpus because
// its transcript vanished: Prune and Forget remove. Repair mends what is damaged,
// Corpus.Backup and Restore keep a copy.
//
// A Corpus, from Open, is one of any number of readers, in this process or another.
// Search answers a Query, whose language ParseQuery describes; Turn, Session, Sessions and
// Export tell what is there; Status and Check how it is.
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
// A context that is done ends a call with its error, and leaves the corpus whole. Sources
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

// For who reads the code, the files by what they are about:
//
//	config params params_kept errors              what a corpus is made of
//	indexer once sync run                         the writer, and one run of it from beginning to end
//	scan newest inode standin relocated           which transcripts have to be read
//	workers read resume                           reading them, side by side
//	document record builder claims keys           documents that are made of turns and sessions
//	decide places moved link retract follow       which of them have to be written
//	publish commit fold merge                     making them what readers see
//	tail tail_flush                               Add and Flush
//	renew                                         documents made again, by other rules
//	remove prune forget tombstones                taking sessions out
//	check repair salvage backup restore           damage and copies
//
//	reader                                        Open, and what is published at the moment
//	query parse parsed dates filter match         what is asked
//	search pass scope                             its rows, among the turns that pass the filters
//	hits window shown answers                     what is shown of them
//	show resolve sessions export family projects  what is told without a search
//	synopsis status disk reports eval             likewise, about the corpus
