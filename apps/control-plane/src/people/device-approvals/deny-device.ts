import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../../deps.ts';
import { decide, OVER } from '@svc/operations/people/device-approvals/decide.ts';

export const denyDevice: Handler<Endpoints['denyDevice'], ControlDeps> = async (call) => {
  const decided = await decide(call, null);
  if (decided === 'unknown') return call.refuse('NOT_FOUND');
  return decided === 'over' ? call.refuse('GONE', OVER) : { approved: false };
};
