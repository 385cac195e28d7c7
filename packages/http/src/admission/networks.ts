import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isAdmitted } from '@svc/operations/tenancy/organization/is-admitted.ts';
import type { Caller } from '../calls/call.ts';

/** Refuses a caller outside the allowed networks of the organization or the key, on every row, and states the caller's address. */
export const findNetworkRefusal = ({ networks }: Pick<Caller, 'networks'>, address: string): Refusal<'NETWORK_RESTRICTED'> | undefined =>
  networks.every((each) => isAdmitted(each, address))
    ? undefined
    : buildRefusal('NETWORK_RESTRICTED', undefined, { source_address: address });
