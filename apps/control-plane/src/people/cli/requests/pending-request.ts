import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { refuseDecided } from '@svc/operations/people/cli/decided-meanwhile.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type CliRequestRow, findCliRequest } from '@svc/postgres/people/cli/requests.ts';

/** True if the request is undecided and has not expired. */
export const isPending = (row: CliRequestRow, now: Date): boolean => row.decided_in === null && Date.parse(row.expires_at) > now.getTime();

type Asked = { readonly params: { readonly requestId: string }; readonly caller: { readonly organizationId: string }; readonly now: Date };

/** Returns a request that waits for a decision. One that was decided in another organization is treated as unknown. */
export const getPendingRequest = async (
  identity: Database,
  { params: { requestId }, caller, now }: Asked,
): Promise<CliRequestRow | Refusal<'NOT_FOUND' | 'GONE'>> => {
  const row = isId('cli_request', requestId) ? await findCliRequest(identity, requestId) : undefined;
  if (row === undefined || (row.decided_in !== null && row.decided_in !== caller.organizationId)) return buildRefusal('NOT_FOUND');
  return isPending(row, now) ? row : refuseDecided();
};
