import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { insertSetupLink } from '@svc/postgres/people/setup.ts';

/**
 * Creates a set-up link for the operator as long as no user has signed up; null afterwards. Only its hash is stored, and its secret is in
 * the URL fragment, which is not sent to servers: it appears in no log and no `Referer`.
 */
export const newSetupUrl = async (identity: Database, baseUrl: string): Promise<string | null> => {
  const token = newSecretToken(SECRET_PREFIXES.setup_link);
  return (await insertSetupLink(identity, hashSecret(token))) ? `${baseUrl}/setup#token=${token}` : null;
};
