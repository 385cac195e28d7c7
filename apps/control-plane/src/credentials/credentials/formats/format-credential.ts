import type { Credential } from '@svc/contract/credentials/credentials.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { readLastUses } from '@svc/postgres/credentials/last-uses.ts';
import { readStandings } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { formatOauth } from './format-oauth.ts';

/** Time of the response and address of this plane. */
export type CredentialFormatContext = { readonly now: Date; readonly baseUrl: string };

/** Formats credentials without expired secrets, with the status of their tokens and their last use. */
export const formatCredentials = async (
  tx: TenantTransaction,
  organizationId: string,
  rows: readonly StoredCredential[],
  { now, baseUrl }: CredentialFormatContext,
): Promise<Credential[]> => {
  const ids = rows.flatMap(({ id, oauth }) => (oauth === null ? [] : [id]));
  const standings = await readStandings(tx, organizationId, ids);
  const uses = rows.length === 0 ? new Map<string, string>() : await readLastUses(tx, organizationId);
  return rows.map((row) => {
    const { id, oauth, previous_ends_at } = row;
    const isOver = previous_ends_at !== null && Date.parse(previous_ends_at) <= now.getTime();
    return {
      ...row,
      oauth: oauth && formatOauth(id, oauth, standings.get(id), baseUrl),
      last_used_at: uses.get(id) ?? null,
      previous_ends_at: isOver ? null : previous_ends_at,
    };
  });
};

/** Formats one credential like `formatCredentials`. */
export const formatCredential = async (
  tx: TenantTransaction,
  organizationId: string,
  row: StoredCredential,
  telling: CredentialFormatContext,
): Promise<Credential> => {
  const [told] = await formatCredentials(tx, organizationId, [row], telling);
  if (told === undefined) throw new Error('no credential was returned for one credential');
  return told;
};
