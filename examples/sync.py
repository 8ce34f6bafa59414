"""Brings the store's animals up to date with a file of another system, by that system's own numbers (externalId).

    python3 sync.py animals.csv

The file has the columns number, name, category and status. Run it each night: it adds what is new, and changes only what differs.
If it is interrupted, run it again: what it did is found by its number, and not done twice. It removes nothing.
"""

import csv
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from petstore import Petstore, PetstoreError

store = Petstore(attempts=12)


def wanted_of(row):
    """The animal that a line of the file describes. Without a status, it shall have none."""
    return {
        "name": row["name"],
        "categoryId": int(row["category"]),
        "status": row["status"] or None,
        "externalId": row["number"],
    }


def bring_up_to_date(wanted, current):
    """Adds the animal, or changes the members that differ; returns what was done."""
    while True:
        try:
            if current is None:
                store.create_pet({name: value for name, value in wanted.items() if value is not None})
                return "added"
            changes = {name: value for name, value in wanted.items() if current.get(name) != value}
            if not changes:
                return "unchanged"
            store.update_pet(current["id"], changes)
            return "changed"
        except PetstoreError as error:
            # An animal that was added or removed since it was compared, maybe by a run that was interrupted.
            if error.code in ("conflict", "not_found"):
                current = next(store.list_pets(externalId=wanted["externalId"]), None)
            elif error.status in (400, 409):
                print(f"{wanted['externalId']}: {error.message}", file=sys.stderr)
                return "refused"
            else:
                raise


def sync(rows):
    """Compares up to 100 animals by one request; returns how often each thing was done."""
    numbers = ",".join(row["externalId"] for row in rows)
    there = {pet["externalId"]: pet for pet in store.list_pets(externalId=numbers)}
    return Counter(bring_up_to_date(row, there.get(row["externalId"])) for row in rows)


with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
    animals = [wanted_of(row) for row in csv.DictReader(file)]
if len({animal["externalId"] for animal in animals}) < len(animals):
    sys.exit("A number is in the file twice.")
batches = [animals[start : start + 100] for start in range(0, len(animals), 100)]
with ThreadPoolExecutor(4) as workers:
    done = sum(workers.map(sync, batches), Counter())
print(", ".join(f"{done[what]} {what}" for what in ("added", "changed", "unchanged", "refused")))
sys.exit(1 if done["refused"] else 0)
