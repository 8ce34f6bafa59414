// The service with Go's own net/http, database/sql and go-sqlite3: one connection writes, the others read.
package main

import (
	"bufio"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxBodyBytes = 65536

type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

type bufferedLog struct {
	mutex sync.Mutex
	out   *bufio.Writer
}

func (b *bufferedLog) Write(line []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.out.Write(line)
}

func (b *bufferedLog) flushEverySecond() {
	for range time.Tick(time.Second) {
		b.mutex.Lock()
		b.out.Flush()
		b.mutex.Unlock()
	}
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
	lines := &bufferedLog{out: bufio.NewWriter(os.Stdout)}
	go lines.flushEverySecond()
	s := &service{store: store, log: log.New(lines, "", log.LstdFlags|log.Lmicroseconds)}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), s))
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	startedAt := time.Now()
	status := s.handle(w, r)
	s.log.Printf(`method=%s url=%s status=%d us=%d`, r.Method, r.URL.RequestURI(), status, time.Since(startedAt).Microseconds())
}

func (s *service) handle(w http.ResponseWriter, r *http.Request) int {
	key, err := s.store.findKey(bearerToken(r.Header.Get("Authorization")))
	if err != nil {
		return refuse(w, 500, "internal_error", "Something went wrong.")
	}
	if key == nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="petstore", error="invalid_token"`)
		return refuse(w, 401, "unauthorized", "The API key is invalid, expired or revoked.")
	}
	id := strings.TrimPrefix(r.URL.Path, "/v1/pets/")
	isOne := id != r.URL.Path
	switch {
	case r.Method == "GET" && isOne:
		return s.getPet(w, r, id)
	case r.Method == "GET" && r.URL.Path == "/v1/pets":
		return s.listPets(w, r)
	case r.Method == "POST" && r.URL.Path == "/v1/pets":
		if key.access != "read-write" {
			return refuse(w, 403, "forbidden", "This API key may only read.")
		}
		return s.createPet(w, r, key.id)
	}
	return refuse(w, 404, "not_found", "There is nothing here.")
}

func (s *service) listPets(w http.ResponseWriter, r *http.Request) int {
	page, err := readPage(r.URL.RawQuery)
	if err != nil {
		return refuse(w, 400, "invalid_parameter", err.Error())
	}
	found, err := s.store.listPets(page.status, page.before, page.limit+1)
	if err != nil {
		return refuse(w, 500, "internal_error", "Something went wrong.")
	}
	if len(found) > page.limit {
		found = found[:page.limit]
		filter := ""
		if page.status != nil {
			filter = "&status=" + *page.status
		}
		w.Header().Set("Link", fmt.Sprintf(`<http://%s/v1/pets?limit=%d%s&before=%d>; rel="next"`,
			r.Host, page.limit, filter, found[page.limit-1].ID))
	}
	return sendTagged(w, r, found)
}

func (s *service) getPet(w http.ResponseWriter, r *http.Request, text string) int {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return refuse(w, 400, "invalid_parameter", "petId must be an integer.")
	}
	found, err := s.store.getPet(id)
	if err != nil {
		return refuse(w, 500, "internal_error", "Something went wrong.")
	}
	if found == nil {
		return refuse(w, 404, "not_found", fmt.Sprintf("There is no animal %d.", id))
	}
	return sendTagged(w, r, found)
}

func (s *service) createPet(w http.ResponseWriter, r *http.Request, keyID int64) int {
	var body newPet
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes)).Decode(&body); err != nil {
		return refuse(w, 400, "invalid_parameter", err.Error())
	}
	if body.Name == nil || body.CategoryID == nil || !isStatus(body.Status) {
		return refuse(w, 400, "invalid_parameter", "name and categoryId are required; status is a status.")
	}
	made, err := s.store.create(body, keyID, r.Header.Get("Idempotency-Key"))
	if errors.Is(err, errReused) {
		return refuse(w, 422, "idempotency_key_reused", "This Idempotency-Key was already used.")
	}
	if err != nil {
		return refuse(w, 500, "internal_error", "Something went wrong.")
	}
	w.Header().Set("Location", fmt.Sprintf("http://%s/v1/pets/%d", r.Host, made.ID))
	bytes, _ := json.Marshal(made)
	return send(w, 201, bytes)
}

type page struct {
	limit  int
	before int64
	status *string
}

func readPage(query string) (page, error) {
	wanted := page{limit: 20}
	values, err := url.ParseQuery(query)
	if err != nil {
		return wanted, err
	}
	for name, all := range values {
		value := all[0]
		switch name {
		case "limit":
			wanted.limit, err = strconv.Atoi(value)
			if wanted.limit < 1 || wanted.limit > 100 {
				err = errors.New("limit must be 1 to 100.")
			}
		case "before":
			wanted.before, err = strconv.ParseInt(value, 10, 64)
			if wanted.before < 1 {
				err = errors.New("before must be at least 1.")
			}
		case "status":
			wanted.status = &value
			if !isStatus(&value) {
				err = errors.New("status must be available, pending or sold.")
			}
		default:
			err = fmt.Errorf("There is no parameter %s.", name)
		}
		if err != nil {
			return wanted, err
		}
	}
	return wanted, nil
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
