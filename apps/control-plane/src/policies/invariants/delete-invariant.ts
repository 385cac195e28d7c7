import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteInvariant as remove } from '@svc/operations/policies/invariants/delete-invariant.ts';
import type { PoliciesDeps } from '../deps.ts';

export const deleteInvariant: Handler<Endpoints['deleteInvariant'], PoliciesDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), invariantId: call.params.invariantId }));
