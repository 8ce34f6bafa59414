package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

const columns = "SELECT id, name, category_id, status FROM pet"

// A bare `LIMIT ?` makes SQLite plan the statement again at every execution.
const newestFirst = " ORDER BY id DESC LIMIT CAST(? AS INTEGER)"
const insertPet = "INSERT INTO pet (name, category_id, status) VALUES (?, ?, ?)"

var errReused = errors.New("another request used this key")

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

type apiKey struct {
	id     int64
	access string
}

type store struct {
	writer                                                       *sql.DB
	selectKey, selectPet, selectAll, selectBefore                *sql.Stmt
	selectStatus, selectBoth, insert, selectRecord, insertRecord *sql.Stmt
}

func openStore(file string) (*store, error) {
	const settings = "?_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_busy_timeout=5000"
	reader, err := sql.Open("sqlite3", "file:"+file+settings)
	if err != nil {
		return nil, err
	}
	writer, err := sql.Open("sqlite3", "file:"+file+settings+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	reader.SetMaxIdleConns(4)
	reader.SetMaxOpenConns(4)
	writer.SetMaxOpenConns(1)
	s := &store{writer: writer}
	for _, one := range []struct {
		into *(*sql.Stmt)
		db   *sql.DB
		text string
	}{
		{&s.selectKey, reader, "SELECT id, access, expires_at, revoked_at FROM api_key WHERE token_hash = ?"},
		{&s.selectPet, reader, columns + " WHERE id = ?"},
		{&s.selectAll, reader, columns + newestFirst},
		{&s.selectBefore, reader, columns + " WHERE id < ?" + newestFirst},
		{&s.selectStatus, reader, columns + " WHERE status = ?" + newestFirst},
		{&s.selectBoth, reader, columns + " WHERE status = ? AND id < ?" + newestFirst},
		{&s.insert, writer, insertPet},
		{&s.selectRecord, writer, "SELECT fingerprint, body FROM idempotency_record WHERE api_key_id = ? AND idempotency_key = ?"},
		{&s.insertRecord, writer, "INSERT INTO idempotency_record VALUES (?, ?, ?, ?, ?)"},
	} {
		if *one.into, err = one.db.Prepare(one.text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *store) findKey(hash []byte) (*apiKey, error) {
	var key apiKey
	var expiresAt, revokedAt sql.NullInt64
	err := s.selectKey.QueryRow(hash).Scan(&key.id, &key.access, &expiresAt, &revokedAt)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	if revokedAt.Valid || (expiresAt.Valid && expiresAt.Int64 <= time.Now().UnixMilli()) {
		return nil, err
	}
	return &key, err
}

func (s *store) listPets(status *string, before int64, limit int) ([]pet, error) {
	rows, err := s.page(status, before, limit)
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

func (s *store) page(status *string, before int64, limit int) (*sql.Rows, error) {
	switch {
	case status == nil && before == 0:
		return s.selectAll.Query(limit)
	case status == nil:
		return s.selectBefore.Query(before, limit)
	case before == 0:
		return s.selectStatus.Query(*status, limit)
	}
	return s.selectBoth.Query(*status, before, limit)
}

func (s *store) getPet(id int64) (*pet, error) {
	var one pet
	err := s.selectPet.QueryRow(id).Scan(&one.ID, &one.Name, &one.CategoryID, &one.Status)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	return &one, err
}

func (s *store) create(body newPet, keyID int64, name string) (*pet, error) {
	if name == "" {
		return insertOn(s.insert, body)
	}
	canonical, _ := json.Marshal(body)
	fingerprint := sha256.Sum256(canonical)
	tx, err := s.writer.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	made, err := s.createOnce(tx, body, keyID, name, fingerprint[:])
	if err != nil {
		return nil, err
	}
	return made, tx.Commit()
}

func (s *store) createOnce(tx *sql.Tx, body newPet, keyID int64, name string, fingerprint []byte) (*pet, error) {
	var recorded, answer []byte
	err := tx.Stmt(s.selectRecord).QueryRow(keyID, name).Scan(&recorded, &answer)
	if err == nil {
		if !bytes.Equal(recorded, fingerprint) {
			return nil, errReused
		}
		var made pet
		return &made, json.Unmarshal(answer, &made)
	}
	if err != sql.ErrNoRows {
		return nil, err
	}
	made, err := insertOn(tx.Stmt(s.insert), body)
	if err != nil {
		return nil, err
	}
	text, _ := json.Marshal(made)
	_, err = tx.Stmt(s.insertRecord).Exec(keyID, name, fingerprint, string(text), time.Now().UnixMilli())
	return made, err
}

func insertOn(statement *sql.Stmt, body newPet) (*pet, error) {
	done, err := statement.Exec(*body.Name, *body.CategoryID, body.Status)
	if err != nil {
		return nil, err
	}
	id, err := done.LastInsertId()
	return &pet{id, *body.Name, *body.CategoryID, body.Status}, err
}
