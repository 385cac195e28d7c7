import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ImportOrigin, ToolImport } from '@svc/contract/tools/tool-imports.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { findArchivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { storeImport } from '@svc/operations/tools/tool-imports/store-import.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { formatImports } from '../formats/format-imports.ts';
import type { ToolImports } from './open-tool-imports.ts';

type Importing = Call<Endpoints['createToolImport']>;

/** A document that has arrived, and its stated metadata. */
export type Arrived = {
  readonly pieces: readonly Uint8Array[];
  readonly pointer: string;
  readonly origin: ImportOrigin;
  readonly environment_id: string;
  readonly source: string;
  readonly base_url?: string;
  readonly address?: string;
};

const RETRY_AFTER_SECONDS = 10;

type ImportRefusal = Refusal<Endpoints['createToolImport']['refuses'][number] | 'RATE_LIMITED'>;

/** Checks whether anything may be created in the scope, before the document is fetched. */
export const findPlaceRefusal = (
  call: Pick<Importing, 'database' | 'scope'>,
  environmentId: string,
): Promise<Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'> | undefined> =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const environment = await findEnvironment(tx, organization_id, environmentId);
    return environment
      ? findArchivedRefusal(tx, organization_id, environment.id)
      : buildRefusal('NOT_FOUND', 'The environment does not exist.');
  });

/** Returns the address without parts that may hold a secret. */
const shownAddress = (address: string | undefined): string | null => {
  const url = address === undefined ? null : URL.parse(address);
  return url && `${url.origin}${url.pathname}`;
};

/** Reads a document in a worker process, and stores its proposals. */
export const keepImport = async (
  call: Pick<Importing, 'database' | 'scope' | 'change' | 'now' | 'caller'>,
  { toolImports }: { readonly toolImports: ToolImports },
  arrived: Arrived,
): Promise<ToolImport | ImportRefusal> => {
  const { environment_id, source, base_url, address, pieces, origin, pointer } = arrived;
  const { organization_id } = call.scope;
  const options = { source, ...(base_url === undefined ? {} : { base_url }), ...(address === undefined ? {} : { address }) };
  const read = await toolImports.read(pieces, options, organization_id);
  if (isRefusal(read)) return read;
  if ('busy' in read) return buildRefusal('DEPENDENCY_UNAVAILABLE', read.busy, { retry_after_seconds: RETRY_AFTER_SECONDS });
  if ('fault' in read)
    return buildRefusal('VALIDATION_FAILED', 'No tools can be proposed from this document.', {
      faults: [{ pointer, message: read.fault }],
    });
  const { hash: document_hash, ...about } = read.document;
  const kept = await call.change(async ({ tx }): Promise<ImportRow | Refusal<'NOT_FOUND' | 'CONFLICT'>> => {
    const environment = await findEnvironment(tx, organization_id, environment_id);
    if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
    const { workspace_id } = environment;
    const placed = { workspace_id, environment_id, source, origin, address: shownAddress(address), base_url: base_url ?? null };
    const storing = { ...placed, ...about, document_hash, created_by: call.caller.actor.id };
    return storeImport(tx, call, storing, read.rows);
  });
  if (isRefusal(kept)) return kept;
  const [told] = await readInTenant(call.database, call.scope, (tx) => formatImports(tx, [kept]));
  return told ?? buildRefusal('NOT_FOUND');
};
