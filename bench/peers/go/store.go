package main

import (
	"database/sql"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

const settings = "?_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_busy_timeout=5000"
const columns = "SELECT id, name, category_id, status FROM pet"

// SQLite would plan a statement with a bare `LIMIT ?` again at every execution.
const newestFirst = " ORDER BY id DESC LIMIT CAST(? AS INTEGER)"

type newPet struct {
	Name       *string `json:"name"`
	CategoryID *int64  `json:"categoryId"`
	Status     *string `json:"status"`
}

type pet struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	CategoryID int64   `json:"categoryId"`
	Status     *string `json:"status,omitempty"`
}

type store struct {
	selectKey, selectPet, selectPage, insertPet *sql.Stmt
}

func openStore(file string) (*store, error) {
	reader, err := sql.Open("sqlite3", "file:"+file+settings)
	if err != nil {
		return nil, err
	}
	writer, err := sql.Open("sqlite3", "file:"+file+settings)
	if err != nil {
		return nil, err
	}
	reader.SetMaxIdleConns(4)
	reader.SetMaxOpenConns(4)
	writer.SetMaxOpenConns(1)
	s := &store{}
	for _, one := range []struct {
		into *(*sql.Stmt)
		db   *sql.DB
		text string
	}{
		{&s.selectKey, reader, "SELECT access, expires_at, revoked_at FROM api_key WHERE token_hash = ?"},
		{&s.selectPet, reader, columns + " WHERE id = ?"},
		{&s.selectPage, reader, columns + " WHERE id < ?" + newestFirst},
		{&s.insertPet, writer, "INSERT INTO pet (name, category_id, status) VALUES (?, ?, ?)"},
	} {
		if *one.into, err = one.db.Prepare(one.text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Returns what the key may do, or "" if the key is invalid.
func (s *store) accessOf(hash []byte) (string, error) {
	var access string
	var expiresAt, revokedAt sql.NullInt64
	err := s.selectKey.QueryRow(hash).Scan(&access, &expiresAt, &revokedAt)
	if err == sql.ErrNoRows {
		return "", nil
	}
	if revokedAt.Valid || (expiresAt.Valid && expiresAt.Int64 <= time.Now().UnixMilli()) {
		return "", err
	}
	return access, err
}

func (s *store) listPets(before int64, limit int64) ([]pet, error) {
	rows, err := s.selectPage.Query(before, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]pet, 0, limit)
	for rows.Next() {
		var one pet
		if err := rows.Scan(&one.ID, &one.Name, &one.CategoryID, &one.Status); err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

func (s *store) getPet(id int64) (*pet, error) {
	var one pet
	err := s.selectPet.QueryRow(id).Scan(&one.ID, &one.Name, &one.CategoryID, &one.Status)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	return &one, err
}

func (s *store) createPet(body newPet) (*pet, error) {
	done, err := s.insertPet.Exec(*body.Name, *body.CategoryID, body.Status)
	if err != nil {
		return nil, err
	}
	id, err := done.LastInsertId()
	return &pet{id, *body.Name, *body.CategoryID, body.Status}, err
}
