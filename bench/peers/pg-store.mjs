// The PostgreSQL store of those servers in the benchmark that run on Node.
import { hash } from "node:crypto";
import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const PET = 'SELECT id, name, category_id AS "categoryId", status FROM pet';
const UPDATE = `UPDATE pet SET name = COALESCE($2, name), category_id = COALESCE($3, category_id),
    status = COALESCE($4, status) WHERE id = $1 RETURNING id, name, category_id AS "categoryId", status`;
const ORDER = `WITH reserved AS (
    UPDATE pet SET status = 'pending' WHERE id = $1 AND status = 'available' RETURNING id
  ) INSERT INTO store_order (pet_id, quantity, complete, created_at) SELECT id, $2, 0, $3 FROM reserved RETURNING id`;
const INSERT = "INSERT INTO pet (name, category_id, status) VALUES ($1, $2, $3) RETURNING id";
/** The number of database connections. With 64 clients, 20 was faster than 10 and 40. */
const POOL_SIZE = 20;

export function openStore(connectionString) {
  const pool = new pg.Pool({ connectionString, pipeline: true, max: POOL_SIZE });
  // PostgreSQL prepares a named statement only once on each connection.
  const ask = (name, text, values) => pool.query({ name, text, values });

  return {
    async findKey(token) {
      const text = "SELECT id, access, expires_at, revoked_at FROM api_key WHERE token_hash = $1";
      const { rows } = await ask("select-key", text, [hash("sha256", token, "buffer")]);
      const [key] = rows;
      const isValid =
        key && key.revoked_at === null && (key.expires_at === null || key.expires_at > Date.now());
      return isValid ? key : undefined;
    },
    async listPets(before, limit) {
      const text = `${PET} WHERE id < $1 ORDER BY id DESC LIMIT $2`;
      const { rows } = await ask("select-page", text, [before, limit]);
      return rows.map(withoutNull);
    },
    async getPet(id) {
      const { rows } = await ask("select-pet", `${PET} WHERE id = $1`, [id]);
      return rows[0] && withoutNull(rows[0]);
    },
    async createPet({ name, categoryId, status }) {
      const { rows } = await ask("insert-pet", INSERT, [name, categoryId, status ?? null]);
      return { id: rows[0].id, name, categoryId, status };
    },
    async patchPet(id, { name, categoryId, status }) {
      const { rows } = await ask("update-pet", UPDATE, [id, name, categoryId, status]);
      return rows[0] && withoutNull(rows[0]);
    },
    async placeOrder(petId, quantity, now) {
      const { rows } = await ask("insert-order", ORDER, [petId, quantity, now]);
      return rows[0]?.id;
    },
  };
}

function withoutNull(pet) {
  // Sets the member to undefined, because an object is slower to read after `delete`.
  if (pet.status === null) pet.status = undefined;
  return pet;
}
