import { buildId, SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type pg from 'pg';
import { newUlid } from './new-ulid.ts';

export type InsertedKey = { readonly id: string; readonly token: string };

type NewKey = { readonly organizationId: string; readonly roleId: string; readonly maker: string };

/** Inserts an API key that expires tomorrow, created by a person or by another key. */
export const insertApiKey = async (client: pg.Client, { organizationId, roleId, maker }: NewKey): Promise<InsertedKey> => {
  const [id, token] = [buildId('api_key', newUlid()), newSecretToken(SECRET_PREFIXES.api_key)];
  await client.query(
    `insert into api_keys (organization_id, id, name, role_id, token_hash, created_by, expires_at)
     values ($1, $2, $2, $3, $4, $5, now() + interval '1 day')`,
    [organizationId, id, roleId, hashSecret(token), maker],
  );
  return { id, token };
};
