import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { findDirectory } from '@svc/postgres/people/scim/settings.ts';
import { bearerOf, withoutBearer } from './authenticate.ts';
import type { Who } from './rate-limit.ts';

/** Whose directory a bearer token is of. It opens the rows of SCIM and nothing else, and no other token opens these. */
export const authenticateDirectory = async (identity: Database, authorization: string | undefined): Promise<Who | Refusal> => {
  const token = bearerOf(authorization);
  if (!token) return withoutBearer(authorization);
  if (!isWellFormedSecret(SECRET_PREFIXES.scim, token)) return refusal('UNAUTHENTICATED');
  const organizationId = await findDirectory(identity, hashSecret(token));
  return organizationId === undefined ? refusal('UNAUTHENTICATED') : { directory: { organizationId } };
};
