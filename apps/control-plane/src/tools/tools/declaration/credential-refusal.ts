import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';

type Declared = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly name: string;
  readonly execution: ToolExecution | null | undefined;
};
type NotUsable = Refusal<'INVALID_CREDENTIAL_REFERENCE' | 'PERMISSION_DENIED'>;

const notUsable = (message: string): NotUsable =>
  refusal('INVALID_CREDENTIAL_REFERENCE', undefined, { faults: [{ pointer: '/execution/credential_id', message }] });

const NOT_HELD = 'What a credential is sent with is said by who may store one: that takes credential:create.';

/** Why the calls of a tool may not prove themselves with the credential that its declaration names; undefined where they may, or need none. */
export const credentialRefusal = async (
  tx: TenantTransaction,
  { organization_id, environment_id, name, execution }: Declared,
  maySend: boolean,
): Promise<NotUsable | undefined> => {
  const id = execution?.credential_id;
  if (!execution || id === undefined) return undefined;
  if (!maySend) return refusal('PERMISSION_DENIED', NOT_HELD, { permissions: ['credential:create'] });
  const found = await findCredential(tx, { organization_id, id });
  if (!found || found.environment_id !== environment_id) return notUsable('There is no such credential in the environment of the tool.');
  if (found.status === 'REVOKED') return notUsable('The credential is revoked.');
  if (!found.tools.includes(name)) return notUsable(`The credential does not name the tool ${name}.`);
  const parsed = parseExecution(execution);
  const destination = isFaults(parsed) ? undefined : parsed.url.destination;
  const entries = found.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  // Where the host is a parameter, each call is held against the credential.
  if (destination !== undefined && !isAllowed(entries, destination))
    return notUsable('The credential does not name the host that the tool calls.');
  return undefined;
};
