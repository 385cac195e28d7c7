import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';
import type { DeclarationChange } from './read-change.ts';

type Declared = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly name: string;
  readonly execution: ToolExecution | null | undefined;
};
type NotUsable = Refusal<'INVALID_CREDENTIAL_REFERENCE'>;

const notUsable = (message: string): NotUsable =>
  buildRefusal('INVALID_CREDENTIAL_REFERENCE', undefined, { faults: [{ pointer: '/execution/credential_id', message }] });

/** Permission to decide what is sent with a secret: its holder could request anything in its name. */
export const SENDING = 'credential:create' as const;
export const MISSING_SEND_PERMISSION = 'To change where and how a credential is sent, you need the permission credential:create.';

/** Returns why the calls of a tool may not use the credential that its declaration names; undefined if they may, or need none. */
export const findCredentialRefusal = async (
  tx: TenantTransaction,
  { organization_id, environment_id, name, execution }: Declared,
): Promise<NotUsable | undefined> => {
  const id = execution?.credential_id;
  if (!execution || id === undefined) return undefined;
  const found = await findCredential(tx, { organization_id, id });
  if (!found || found.environment_id !== environment_id) return notUsable('There is no such credential in the environment of the tool.');
  if (found.status === 'REVOKED') return notUsable('The credential is revoked.');
  if (!found.tools.includes(name)) return notUsable(`The credential does not name the tool ${name}.`);
  const parsed = parseExecution(execution);
  const destination = isFaults(parsed) ? undefined : parsed.url.destination;
  const entries = found.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  // If the host is a parameter, each call is checked against the credential.
  if (destination !== undefined && !isAllowed(entries, destination))
    return notUsable('The credential does not name the host that the tool calls.');
  return undefined;
};

/**
 * Returns a refusal if the change of how the tool is called does not fit its credential; unchanged calls are not checked, so that an ended
 * credential does not block other changes. The allowlist and schema are not checked against a credential here: each call is.
 */
export const checkCallChange = (organization_id: string, { tool, after, changes }: DeclarationChange): Declared => ({
  ...{ organization_id, environment_id: tool.environment_id, name: tool.name },
  execution: changes.some(({ member }) => member === 'execution') ? after.execution : null,
});
