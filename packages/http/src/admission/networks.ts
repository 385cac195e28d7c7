import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { isAdmitted } from '@svc/operations/tenancy/organization/is-admitted.ts';
import type { Caller } from '../calls/call.ts';

/** Whoever calls from outside the networks of the organization, or of the key, is refused on every row, and told from where the call came. */
export const networkRefusal = ({ networks }: Pick<Caller, 'networks'>, address: string): Refusal<'NETWORK_RESTRICTED'> | undefined =>
  networks.every((each) => isAdmitted(each, address)) ? undefined : refusal('NETWORK_RESTRICTED', undefined, { source_address: address });
