// The benchmark's service with net/http, database/sql and go-sqlite3. One connection writes, and four read.
package main

import (
	"bufio"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const maxBodyBytes = 65536

type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

type service struct {
	store *store
	log   *log.Logger
}

func main() {
	store, err := openStore(os.Getenv("DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	// The log is buffered, because otherwise the logger would write each line separately.
	lines := log.New(bufio.NewWriter(os.Stdout), "", log.LstdFlags|log.Lmicroseconds)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), &service{store, lines}))
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	startedAt := time.Now()
	status, err := s.handle(w, r)
	if err != nil {
		status = refuse(w, 500, "internal_error", "Something went wrong.")
	}
	s.log.Printf(`method=%s url=%s status=%d us=%d`, r.Method, r.URL.RequestURI(), status, time.Since(startedAt).Microseconds())
}

func (s *service) handle(w http.ResponseWriter, r *http.Request) (int, error) {
	access, err := s.store.accessOf(bearerToken(r.Header.Get("Authorization")))
	if err != nil {
		return 0, err
	}
	if access == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="petstore", error="invalid_token"`)
		return refuse(w, 401, "unauthorized", "The API key is invalid, expired or revoked."), nil
	}
	id := strings.TrimPrefix(r.URL.Path, "/v1/pets/")
	switch {
	case r.Method == "GET" && id != r.URL.Path:
		return s.getPet(w, r, id)
	case r.Method == "GET" && r.URL.Path == "/v1/pets":
		return s.listPets(w, r)
	case r.Method == "POST" && r.URL.Path == "/v1/pets" && access != "read-write":
		return refuse(w, 403, "forbidden", "This API key can only read."), nil
	case r.Method == "POST" && r.URL.Path == "/v1/pets":
		return s.createPet(w, r)
	}
	return refuse(w, 404, "not_found", "There is nothing here."), nil
}

func (s *service) listPets(w http.ResponseWriter, r *http.Request) (int, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	limit, isLimit := number(values.Get("limit"), 20, 100)
	before, isBefore := number(values.Get("before"), math.MaxInt64, math.MaxInt64)
	if err != nil || !isLimit || !isBefore {
		return refuse(w, 400, "invalid_parameter", "limit is 1 to 100, before an identifier."), nil
	}
	found, err := s.store.listPets(before, limit+1)
	if err != nil {
		return 0, err
	}
	if int64(len(found)) > limit {
		found = found[:limit]
		w.Header().Set("Link", fmt.Sprintf(`<http://%s/v1/pets?limit=%d&before=%d>; rel="next"`, r.Host, limit, found[limit-1].ID))
	}
	return sendTagged(w, r, found), nil
}

func number(text string, fallback, highest int64) (int64, bool) {
	if text == "" {
		return fallback, true
	}
	value, err := strconv.ParseInt(text, 10, 64)
	return value, err == nil && value >= 1 && value <= highest
}

func (s *service) getPet(w http.ResponseWriter, r *http.Request, text string) (int, error) {
	id, isID := number(text, 0, math.MaxInt64)
	if !isID {
		return refuse(w, 400, "invalid_parameter", "petId must be an integer."), nil
	}
	found, err := s.store.getPet(id)
	if err != nil {
		return 0, err
	}
	if found == nil {
		return refuse(w, 404, "not_found", fmt.Sprintf("There is no animal %d.", id)), nil
	}
	return sendTagged(w, r, found), nil
}

func (s *service) createPet(w http.ResponseWriter, r *http.Request) (int, error) {
	var body newPet
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes)).Decode(&body)
	if err != nil || body.Name == nil || body.CategoryID == nil || !isStatus(body.Status) {
		return refuse(w, 400, "invalid_body", "name and categoryId are required; status is a status."), nil
	}
	made, err := s.store.createPet(body)
	if err != nil {
		return 0, err
	}
	w.Header().Set("Location", fmt.Sprintf("http://%s/v1/pets/%d", r.Host, made.ID))
	bytes, _ := json.Marshal(made)
	return send(w, 201, bytes), nil
}

func isStatus(status *string) bool {
	return status == nil || *status == "available" || *status == "pending" || *status == "sold"
}

func bearerToken(header string) []byte {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "bearer") {
		token = ""
	}
	hash := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return hash[:]
}

func sendTagged(w http.ResponseWriter, r *http.Request, value any) int {
	body, _ := json.Marshal(value)
	hash := sha1.Sum(body)
	tag := `"` + base64.RawStdEncoding.EncodeToString(hash[:]) + `"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(304)
		return 304
	}
	return send(w, 200, body)
}

func refuse(w http.ResponseWriter, status int, code string, message string) int {
	body, _ := json.Marshal(refusal{code, message, status})
	return send(w, status, body)
}

func send(w http.ResponseWriter, status int, body []byte) int {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
	return status
}
