import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { findDirectory } from '@svc/postgres/people/scim/settings.ts';
import { readBearer, refuseWithoutBearer } from './authenticate.ts';
import type { RequestPrincipals } from './rate-limit.ts';

/** Shown only to the holder of the token: most directories show it to their administrators. */
const STOPPED =
  'The token is not accepted: its creator left or may no longer create one. Ask a user with sso:update, access to the whole organization and every role mapped to groups, such as an owner, to create a new token.';

/** Finds the directory of a bearer token. It gives access to the SCIM rows only, and no other token gives access to these. */
export const authenticateDirectory = async (
  identity: Database,
  authorization: string | undefined,
): Promise<RequestPrincipals | Refusal> => {
  const token = readBearer(authorization);
  if (!token) return refuseWithoutBearer(authorization);
  if (!isWellFormedSecret(SECRET_PREFIXES.scim, token)) return buildRefusal('UNAUTHENTICATED');
  const found = await findDirectory(identity, hashSecret(token));
  if (!found) return buildRefusal('UNAUTHENTICATED');
  if (!found.opens) return buildRefusal('UNAUTHENTICATED', STOPPED);
  return { directory: { organizationId: found.organization_id, madeBy: found.made_by, networks: [found.networks] } };
};
