"""The interface of petstore in one file, with Python's standard library alone (Python 3.9 or later). Copy it beside your program.

    from petstore import Petstore

    store = Petstore()  # key and address from PETSTORE_KEY and PETSTORE_URL
    pet, etag = store.create_pet({"name": "Fluffy", "categoryId": 9007199254740993})

Integers keep all of their 64 bits: those of Python have no limit, and its json reads and writes every digit.
"""

import base64
import hmac
import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TRANSIENT = {408, 429, 502, 503, 504}
LOST = (OSError, http.client.HTTPException)  # the connection failed, or was cut in the middle of an answer


class PetstoreError(Exception):
    """A refusal. Decide by its `code`; `message` is for people."""

    def __init__(self, status, code, message):
        super().__init__(f"{code}: {message}")
        self.status, self.code, self.message, self.retry_after = status, code, message, 0


class Petstore:
    def __init__(self, key=None, url=None, timeout=30, attempts=6):
        self.key = key or os.environ["PETSTORE_KEY"]
        self.url = url or os.environ.get("PETSTORE_URL", "http://localhost:8080/v1")
        self.timeout, self.attempts = timeout, attempts

    def list_pets(self, **filters):
        """Yields the animals that match, newest first, requesting pages as needed: list_pets(status="available")."""
        query = urllib.parse.urlencode({"limit": 100, **filters})
        while query:
            page, headers = self.call("GET", "/pets?" + query)
            yield from page
            query = next_query(headers)

    def create_pet(self, pet, idempotency_key=None):
        """Adds an animal, once even if it is sent again. To repeat a call in another run, pass the same idempotency_key."""
        key = idempotency_key or str(uuid.uuid4())
        created, headers = self.call("POST", "/pets", pet, {"Idempotency-Key": key})
        return created, headers["ETag"]

    def read_pet(self, pet_id):
        """Returns an animal and its ETag, or None twice."""
        found, headers = self.call("GET", f"/pets?id={pet_id}")
        return (found[0], headers["ETag"]) if found else (None, None)

    def update_pet(self, pet_id, changes, etag=None):
        """Changes these members alone. With the ETag that was read, nobody else's change is overwritten (412)."""
        updated, headers = self.call("PATCH", f"/pets/{pet_id}", changes, {"If-Match": etag} if etag else {})
        return updated, headers["ETag"]

    def follow(self, after=0):
        """Yields every event after this one, each once and in order, for ever. Store the `id` of the last one you handled.

        Raises PetstoreError with the code cursor_expired if events after it were already removed.
        """
        failures = 0
        while True:
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
            try:
                with self.open("GET", "/events", None, headers) as stream:
                    for line in stream:
                        failures = 0
                        if line.startswith(b"data:"):
                            event = json.loads(line[5:])
                            yield event
                            after = event["id"]
            except LOST:
                failures += 1
            # The service ends a stream when it stops, and sends a comment every 15 s: silence is a lost connection.
            time.sleep(backoff(failures))

    def call(self, method, path, body=None, headers=None):
        """Sends a request, again after a temporary failure. Returns the body and the headers."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, self.attempts + 1):
            try:
                with self.open(method, path, data, headers or {}) as answer:
                    text = answer.read()
                    return (json.loads(text) if text else None), answer.headers
            except PetstoreError as error:
                if attempt == self.attempts or not is_temporary(error):
                    raise
                time.sleep(error.retry_after + backoff(attempt))
            except LOST:
                if attempt == self.attempts:
                    raise
                time.sleep(backoff(attempt))

    def open(self, method, path, data, headers):
        """Sends one request. Redirects are not followed: no other address receives the key."""
        own = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={**own, **headers})
        try:
            return OPENER.open(request, timeout=self.timeout)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise read_error(refusal) from None


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def read_error(refusal):
    """The service's error, or what a proxy in front of it answered."""
    try:
        body = json.loads(refusal.read())
        error = PetstoreError(refusal.code, body["code"], body["message"])
    except (ValueError, KeyError, TypeError, *LOST):
        error = PetstoreError(refusal.code, "http_error", f"HTTP {refusal.code} {refusal.reason}")
    wait = refusal.headers.get("Retry-After", "")
    error.retry_after = int(wait) if wait.isdigit() else 0
    return error


def is_temporary(error):
    return error.status in TRANSIENT or error.code == "idempotency_in_progress"


def backoff(attempt):
    """Seconds to wait: longer each time, and different for each of several programs that failed together."""
    return random.uniform(0, min(0.5 * 2 ** (attempt - 1), 8)) if attempt else 0


def next_query(headers):
    """The query of the next page from `Link`, or None on the last page."""
    found = re.search(r'<[^>?]*\?([^>]*)>; *rel="next"', ", ".join(headers.get_all("Link", [])))
    return found and found.group(1)


def verify_webhook(headers, body, secret, tolerance=300):
    """Returns what was delivered, from the body as bytes. Raises ValueError if it is forged or old."""
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (timestamp.isdigit() and abs(time.time() - int(timestamp)) <= tolerance):
        raise ValueError("the delivery is old, or has no time")
    key = base64.b64decode(secret[len("whsec_") :])
    expected = b"v1," + base64.b64encode(hmac.digest(key, f"{id}.{timestamp}.".encode() + body, "sha256"))
    signatures = headers.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise ValueError("the signature is wrong")
    return json.loads(body)
