import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import type pg from 'pg';

/** The migration after which a secret is sealed for the terms of its row. */
export const BINDS_CREDENTIALS = '0118_credentials_are_what_they_were_stored_as.sql';

/** A credential as it was stored before. */
export type UnboundCredential = Omit<CredentialTerms, 'extras' | 'servers'> & {
  readonly organization_id: string;
  readonly id: string;
  readonly generation: number;
  readonly sealed_secret: Buffer;
  readonly sealed_previous_secret: Buffer | null;
  readonly wrapped_key: Buffer;
};

/** Reseals both secrets; undefined if they do not open, like before. */
export type BindCredential = (row: UnboundCredential) => Pick<UnboundCredential, 'sealed_secret' | 'sealed_previous_secret'> | undefined;

/** Rows held in memory at once. */
const GROUP_ROWS = 500;

const UNBOUND = `
  declare unbound no scroll cursor for
   select c.organization_id, c.id, c.workspace_id, c.environment_id, c.scheme, c.placement, c.destinations, c.tools, c.oauth, c.generation,
          c.sealed_secret, c.sealed_previous_secret, k.wrapped_key
     from credentials c join data_keys k using (organization_id) where c.sealed_secret is not null`;

/**
 * Reseals the secrets of all credentials for the terms of their rows, within the transaction of that migration: nothing before it
 * reads the new form, and nothing after it reads the old one.
 */
export const bindCredentials = async (client: pg.ClientBase, bind: BindCredential): Promise<void> => {
  await client.query('alter table credentials disable trigger user; alter table credentials no force row level security');
  await client.query(UNBOUND);
  for (;;) {
    const { rows } = await client.query<UnboundCredential>(`fetch ${GROUP_ROWS} from unbound`);
    if (rows.length === 0) break;
    for (const row of rows) {
      const bound = bind(row);
      if (bound === undefined) continue;
      await client.query('update credentials set sealed_secret = $3, sealed_previous_secret = $4 where organization_id = $1 and id = $2', [
        row.organization_id,
        row.id,
        bound.sealed_secret,
        bound.sealed_previous_secret,
      ]);
    }
  }
  await client.query('close unbound');
  await client.query('alter table credentials enable trigger user; alter table credentials force row level security');
};
