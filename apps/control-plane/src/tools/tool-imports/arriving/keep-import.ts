import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOrigin, ToolImport } from '@svc/contract/tools/tool-imports.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { insertProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import {
  countImports,
  dropOlderImports,
  findImport,
  type ImportRow,
  insertImport,
  takeImportTurn,
} from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import { toldImports } from '../told/told-imports.ts';
import type { ToolImports } from './open-tool-imports.ts';

type Importing = Call<Endpoints['createToolImport']>;

/** A document that has arrived, and what was said of it. */
export type Arrived = {
  readonly pieces: readonly Uint8Array[];
  readonly pointer: string;
  readonly origin: ImportOrigin;
  readonly environment_id: string;
  readonly source: string;
  readonly base_url?: string;
  readonly address?: string;
};

type ImportRefusal = Refusal<Endpoints['createToolImport']['refuses'][number] | 'RATE_LIMITED'>;

const { perOrganizationMax, perSourceMax } = LIMITS.toolImports;
const FULL = `An organization keeps at most ${perOrganizationMax} imports: delete one first.`;

/** Whether anything new is made there. Asked before the document is, so that nobody fetches anything for nothing. */
export const placeRefusal = (
  call: Pick<Importing, 'database' | 'scope'>,
  environmentId: string,
): Promise<Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'> | undefined> =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const environment = await findEnvironment(tx, organization_id, environmentId);
    return environment ? archivedRefusal(tx, organization_id, environment.id) : refusal('NOT_FOUND', 'There is no such environment.');
  });

/** Without what may hold a secret. */
const shownAddress = (address: string | undefined): string | null => {
  const url = address === undefined ? null : URL.parse(address);
  return url && `${url.origin}${url.pathname}`;
};

/** Reads a document aside, and keeps what it proposes. */
export const keepImport = async (
  call: Pick<Importing, 'database' | 'scope' | 'change' | 'newId' | 'now' | 'caller'>,
  { toolImports }: { readonly toolImports: ToolImports },
  arrived: Arrived,
): Promise<ToolImport | ImportRefusal> => {
  const { environment_id, source, base_url, address, pieces, origin, pointer } = arrived;
  const { organization_id } = call.scope;
  const options = { source, ...(base_url === undefined ? {} : { base_url }), ...(address === undefined ? {} : { address }) };
  const read = await toolImports.read(pieces, options, organization_id);
  if (isRefusal(read)) return read;
  if ('fault' in read)
    return refusal('VALIDATION_FAILED', 'No tools can be proposed from this document.', { faults: [{ pointer, message: read.fault }] });
  const { hash: document_hash, ...about } = read.document;
  const kept = await call.change(async ({ tx }): Promise<ImportRow | Refusal<'NOT_FOUND' | 'CONFLICT'>> => {
    const environment = await findEnvironment(tx, organization_id, environment_id);
    if (!environment) return refusal('NOT_FOUND', 'There is no such environment.');
    await takeImportTurn(tx, organization_id);
    const id = call.newId('tool_import');
    const place = { organization_id, workspace_id: environment.workspace_id, environment_id };
    const by = { created_by: call.caller.actor.id, created_at: call.now };
    await insertImport(tx, {
      ...place,
      id,
      source,
      ...about,
      origin,
      address: shownAddress(address),
      base_url: base_url ?? null,
      document_hash,
      ...by,
    });
    const row = await findImport(tx, { organization_id, id });
    if (!row) throw new Error('an import that was just added is not there');
    // First, so that the next document of a source is taken however many others there are.
    await dropOlderImports(tx, row, perSourceMax);
    const kept = await inWholeOrganization(tx, call.scope, () => countImports(tx, organization_id));
    if (kept > perOrganizationMax) return refusal('CONFLICT', FULL);
    for (const rows of read.rows) await insertProposals(tx, row, rows);
    return row;
  });
  if (isRefusal(kept)) return kept;
  const [told] = await readInTenant(call.database, call.scope, (tx) => toldImports(tx, [kept]));
  return told ?? refusal('NOT_FOUND');
};
