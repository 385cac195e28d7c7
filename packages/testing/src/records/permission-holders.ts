import { buildId, SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type pg from 'pg';
import type { Tenant } from '../people/tenant.ts';
import { insertPerson } from './insert-person.ts';
import { newUlid } from './new-ulid.ts';

/** Tokens of sessions and keys whose role has exactly these permissions. */
export type PermissionTokens = {
  /** Tokens of a person who has just stepped up, of one who has not, and of an API key. */
  readonly steppedUp: (permissions: readonly string[]) => Promise<string>;
  readonly plain: (permissions: readonly string[]) => Promise<string>;
  readonly key: (permissions: readonly string[]) => Promise<string>;
};

/** Proofs of a session with a second factor. */
const FACTORED = '{PASSWORD,TOTP}';

const once = <Value>(make: (permissions: readonly string[]) => Promise<Value>) => {
  const made = new Map<string, Promise<Value>>();
  return (permissions: readonly string[]): Promise<Value> => {
    const key = permissions.toSorted().join(' ');
    const known = made.get(key) ?? make(permissions);
    made.set(key, known);
    return known;
  };
};

/** Creates roles, people and keys on demand, one of each. */
export const createTenantKeys = (db: pg.Client, { organization_id, user }: Tenant): PermissionTokens => {
  const roleOf = once(async (permissions) => {
    const id = buildId('role', newUlid());
    await db.query('insert into roles (id, organization_id, name, permissions) values ($1, $2, $1, $3)', [
      id,
      organization_id,
      permissions,
    ]);
    return id;
  });
  const person = async (permissions: readonly string[], steppedUp: boolean): Promise<string> => {
    const { id, token } = await insertPerson(db, organization_id, { id: await roleOf(permissions) }, { steppedUp });
    await db.query('update sessions set amr = $2 where user_id = $1', [id, FACTORED]);
    return token;
  };
  return {
    steppedUp: once((permissions) => person(permissions, true)),
    plain: once((permissions) => person(permissions, false)),
    key: once(async (permissions) => {
      const token = newSecretToken(SECRET_PREFIXES.api_key);
      await db.query(
        `insert into api_keys (organization_id, id, name, role_id, token_hash, created_by, expires_at) values ($1, $2, $2, $3, $4, $5, now() + interval '1 day')`,
        [organization_id, buildId('api_key', newUlid()), await roleOf(permissions), hashSecret(token), user.id],
      );
      return token;
    }),
  };
};

export const getAllBut = (permission: string): string[] => PERMISSION_NAMES.filter((each) => each !== permission);
