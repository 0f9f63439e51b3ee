package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"
)

// SQLite's FTS5, with its stemmer and otherwise as it comes.

// batch is how many turns an engine is given at once.
const batch = 5000

// slowQueries bounds how often an engine is asked that takes a second an answer.
const slowQueries = 20

func ftsOpen(d *dataset) (*sql.DB, error) {
	if err := os.MkdirAll(d.index("fts5"), 0o700); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", filepath.Join(d.index("fts5"), "turns.db"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, s := range []string{"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
		"CREATE VIRTUAL TABLE IF NOT EXISTS turns USING fts5(id UNINDEXED, prompt, answer, tokenize='porter unicode61')"} {
		if _, err := db.Exec(s); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

const ftsInsert = "INSERT INTO turns VALUES (?, ?, ?)"

// ftsLoad indexes the ready-cut turns.
func ftsLoad(j *job, r *result) error {
	db, err := ftsOpen(j.dataset)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	err = j.load(r, func(p pair) error {
		if _, err := tx.Exec(ftsInsert, p.ID, p.Prompt, p.Answer); err != nil || r.Found["turns"]%batch != 0 {
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		tx, err = db.Begin()
		return err
	})
	if err != nil {
		return err
	}
	return tx.Commit()
}

// ftsQuery asks for the ten best turns with any of the words.
func ftsQuery(j *job, r *result) error {
	db, err := ftsOpen(j.dataset)
	if err != nil {
		return err
	}
	defer db.Close()
	return j.ask(r, slowQueries, func(q []string) (n int, err error) {
		rows, err := db.Query("SELECT id, prompt FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT 10", strings.Join(q, " OR "))
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		for rows.Next() {
			var id, prompt string
			if err := rows.Scan(&id, &prompt); err != nil {
				return n, err
			}
			n++
		}
		return n, rows.Err()
	})
}

// ftsAdd adds turns one at a time, each a transaction.
func ftsAdd(j *job, r *result) error {
	db, err := ftsOpen(j.dataset)
	if err != nil {
		return err
	}
	defer db.Close()
	return addEach(r, slowAdds, func(_ int, p pair) error {
		_, err := db.Exec(ftsInsert, p.ID, p.Prompt, p.Answer)
		return err
	})
}

// ftsUpdates adds turns one at a time to an index that was empty, each on the disk
// before the next.
func ftsUpdates(j *job, r *result) error {
	db, err := ftsOpen(j.dataset)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA synchronous=FULL"); err != nil {
		return err
	}
	return addEach(r, j.Turns, func(_ int, p pair) error {
		_, err := db.Exec(ftsInsert, p.ID, p.Prompt, p.Answer)
		return err
	})
}
