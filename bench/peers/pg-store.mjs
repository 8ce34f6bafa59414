// The store of the peer on Node and PostgreSQL.
import { createHash } from "node:crypto";
import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const PET = 'SELECT id, name, category_id AS "categoryId", status FROM pet';
const INSERT = "INSERT INTO pet (name, category_id, status) VALUES ($1, $2, $3) RETURNING id";
const INSERT_RECORD = `INSERT INTO idempotency_record VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (api_key_id, idempotency_key) DO NOTHING`;
const SELECT_RECORD =
  "SELECT fingerprint, body FROM idempotency_record WHERE api_key_id = $1 AND idempotency_key = $2";

export function openStore(connectionString) {
  const pool = new pg.Pool({ connectionString });
  // A named statement is prepared once on each connection.
  const ask = (name, text, values, on = pool) => on.query({ name, text, values });

  async function createPet({ name, categoryId, status }, on = pool) {
    const { rows } = await ask("insert-pet", INSERT, [name, categoryId, status ?? null], on);
    const [{ id }] = rows;
    return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status };
  }

  async function createOnceOn(client, keyId, name, pet) {
    const fingerprint = createHash("sha256").update(JSON.stringify(pet)).digest();
    const { rows } = await ask("select-record", SELECT_RECORD, [keyId, name], client);
    const [record] = rows;
    if (record !== undefined)
      return record.fingerprint.equals(fingerprint) ? { pet: JSON.parse(record.body) } : { isReused: true };
    const made = await createPet(pet, client);
    const values = [keyId, name, fingerprint, JSON.stringify(made), Date.now()];
    const { rowCount } = await ask("insert-record", INSERT_RECORD, values, client);
    if (rowCount === 0) throw new Error("Another request with this key has just been answered.");
    return { pet: made };
  }

  return {
    async findKey(token) {
      const hash = createHash("sha256").update(token).digest();
      const text = "SELECT id, access, expires_at, revoked_at FROM api_key WHERE token_hash = $1";
      const { rows } = await ask("select-key", text, [hash]);
      const [key] = rows;
      const isValid =
        key && key.revoked_at === null && (key.expires_at === null || key.expires_at > Date.now());
      return isValid ? key : undefined;
    },
    async listPets({ limit, status, before }) {
      const values = [limit];
      const conditions = [];
      if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
      if (before !== undefined) conditions.push(`id < $${values.push(before)}`);
      const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
      const { rows } = await ask(`page${where}`, `${PET}${where} ORDER BY id DESC LIMIT $1`, values);
      return rows.map(withoutNull);
    },
    async getPet(id) {
      const { rows } = await ask("select-pet", `${PET} WHERE id = $1`, [id]);
      return rows[0] && withoutNull(rows[0]);
    },
    createPet: (pet) => createPet(pet),
    async createOnce(keyId, name, pet) {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const made = await createOnceOn(client, keyId, name, pet);
        await client.query("COMMIT");
        return made;
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

function withoutNull(pet) {
  if (pet.status === null) delete pet.status;
  return pet;
}
