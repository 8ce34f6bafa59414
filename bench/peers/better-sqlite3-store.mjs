// The SQLite store of those servers in the benchmark that run on Node.
import { hash } from "node:crypto";
import Database from "better-sqlite3";

const PET = "SELECT id, name, category_id AS categoryId, status FROM pet";

export function openStore(file) {
  const db = new Database(file);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000",
  );

  const selectKey = db.prepare("SELECT id, access, expires_at, revoked_at FROM api_key WHERE token_hash = ?");
  const selectPet = db.prepare(`${PET} WHERE id = ?`);
  const insertPet = db.prepare("INSERT INTO pet (name, category_id, status) VALUES (?, ?, ?)");
  // `LIMIT ?` is written with a CAST, because SQLite would otherwise plan the statement again at every execution.
  const selectPage = db.prepare(`${PET} WHERE id < ? ORDER BY id DESC LIMIT CAST(? AS INTEGER)`);
  const updatePet =
    db.prepare(`UPDATE pet SET name = COALESCE(?2, name), category_id = COALESCE(?3, category_id),
    status = COALESCE(?4, status) WHERE id = ?1 RETURNING id, name, category_id AS categoryId, status`);
  const reservePet = db.prepare(
    "UPDATE pet SET status = 'pending' WHERE id = ? AND status = 'available' RETURNING id",
  );
  const insertOrder = db.prepare(
    "INSERT INTO store_order (pet_id, quantity, complete, created_at) VALUES (?, ?, 0, ?)",
  );
  const placeOrder = db.transaction((petId, quantity, now) =>
    reservePet.get(petId) === undefined
      ? undefined
      : Number(insertOrder.run(petId, quantity, now).lastInsertRowid),
  );

  return {
    findKey(token) {
      const key = selectKey.get(hash("sha256", token, "buffer"));
      const isValid =
        key && key.revoked_at === null && (key.expires_at === null || key.expires_at > Date.now());
      return isValid ? key : undefined;
    },
    listPets: (before, limit) => selectPage.all(before, limit).map(withoutNull),
    getPet(id) {
      const pet = selectPet.get(id);
      return pet && withoutNull(pet);
    },
    createPet({ name, categoryId, status }) {
      const { lastInsertRowid: id } = insertPet.run(name, categoryId, status ?? null);
      return { id, name, categoryId, status };
    },
    patchPet(id, { name, categoryId, status }) {
      const pet = updatePet.get(id, name ?? null, categoryId ?? null, status ?? null);
      return pet && withoutNull(pet);
    },
    placeOrder,
  };
}

function withoutNull(pet) {
  // Sets the member to undefined, because an object is slower to read after `delete`.
  if (pet.status === null) pet.status = undefined;
  return pet;
}
