import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { insertSetupLink } from '@svc/postgres/people/setup.ts';

/**
 * A link for whoever started the service, as long as nobody has signed up; null afterwards. Only its hash is kept, and its secret stands behind
 * the `#`, which no server is told: neither a log of anybody's nor a `Referer` has it.
 */
export const newSetupUrl = async (identity: Database, baseUrl: string): Promise<string | null> => {
  const token = newSecretToken(SECRET_PREFIXES.setup_link);
  return (await insertSetupLink(identity, hashSecret(token))) ? `${baseUrl}/setup#token=${token}` : null;
};
