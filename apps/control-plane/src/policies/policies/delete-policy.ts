import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deletePolicy as remove } from '@svc/operations/policies/policies/delete-policy.ts';
import type { PoliciesDeps } from '../deps.ts';

export const deletePolicy: Handler<Endpoints['deletePolicy'], PoliciesDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), policyId: call.params.policyId }));
