import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { isSetupLinkAlive } from '@svc/postgres/people/setup.ts';

/** True if a text is the token of a valid set-up link. It is looked up by hash, so timing does not disclose how much of it is right. */
export const isSetupTokenAlive = async (identity: Database, token: unknown): Promise<boolean> =>
  typeof token === 'string' &&
  isWellFormedSecret(SECRET_PREFIXES.setup_link, token) &&
  (await isSetupLinkAlive(identity, hashSecret(token)));
