// The store of the peers on Node and SQLite.
import { hash } from "node:crypto";
import Database from "better-sqlite3";

const PET = "SELECT id, name, category_id AS categoryId, status FROM pet";

export function openStore(file) {
  const db = new Database(file);
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
  ])
    db.pragma(pragma);

  const selectKey = db.prepare("SELECT id, access, expires_at, revoked_at FROM api_key WHERE token_hash = ?");
  const selectPet = db.prepare(`${PET} WHERE id = ?`);
  const insertPet = db.prepare("INSERT INTO pet (name, category_id, status) VALUES (?, ?, ?)");
  const selectRecord = db.prepare(
    "SELECT fingerprint, body FROM idempotency_record WHERE api_key_id = ? AND idempotency_key = ?",
  );
  const insertRecord = db.prepare("INSERT INTO idempotency_record VALUES (?, ?, ?, ?, ?)");
  const pages = new Map();

  function page(where) {
    let statement = pages.get(where);
    if (statement === undefined) {
      // A bare `LIMIT ?` makes SQLite plan the statement again at every execution.
      statement = db.prepare(`${PET}${where} ORDER BY id DESC LIMIT CAST(? AS INTEGER)`);
      pages.set(where, statement);
    }
    return statement;
  }

  function createPet({ name, categoryId, status }) {
    const { lastInsertRowid: id } = insertPet.run(name, categoryId, status ?? null);
    return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status };
  }

  const createOnce = db.transaction((keyId, name, pet) => {
    const fingerprint = hash("sha256", JSON.stringify(pet), "buffer");
    const record = selectRecord.get(keyId, name);
    if (record !== undefined)
      return record.fingerprint.equals(fingerprint) ? { pet: JSON.parse(record.body) } : { isReused: true };
    const made = createPet(pet);
    insertRecord.run(keyId, name, fingerprint, JSON.stringify(made), Date.now());
    return { pet: made };
  });

  return {
    findKey(token) {
      const key = selectKey.get(hash("sha256", token, "buffer"));
      const isValid =
        key && key.revoked_at === null && (key.expires_at === null || key.expires_at > Date.now());
      return isValid ? key : undefined;
    },
    listPets({ limit, status, before }) {
      const conditions = [];
      if (status !== undefined) conditions.push(["status = ?", status]);
      if (before !== undefined) conditions.push(["id < ?", before]);
      const where = conditions.map(([text], index) => `${index === 0 ? " WHERE" : " AND"} ${text}`).join("");
      return page(where)
        .all(...conditions.map(([, value]) => value), limit)
        .map(withoutNull);
    },
    getPet(id) {
      const pet = selectPet.get(id);
      return pet && withoutNull(pet);
    },
    createPet,
    createOnce: createOnce.immediate,
  };
}

function withoutNull(pet) {
  // `delete` would make the object slow to read.
  if (pet.status === null) pet.status = undefined;
  return pet;
}
