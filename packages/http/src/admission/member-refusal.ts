import { isCompared } from '@svc/contract/automation.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { findMemberRefusal, type MemberRefusal } from '@svc/operations/people/auth/member-refusal.ts';
import type { KnownCaller } from '../calls/call.ts';

/**
 * Returns why the caller may not send a body, before it is validated. Undefined if the handler compares the members with what is stored.
 */
export const findBodyRefusal = (row: Endpoint, caller: KnownCaller, body: unknown, now: Date): MemberRefusal | undefined =>
  typeof body !== 'object' || body === null || isCompared(row) ? undefined : findMemberRefusal(row, caller, Object.keys(body), now);
