import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from '../deps.ts';
import { decideAccess } from './deciding/decide-access.ts';

/** Decides one AuthZEN evaluation; a denial is a response, not an error. */
export const evaluateAccess: Handler<Endpoints['evaluateAccess'], ActionsDeps> = (call, { pipeline }) =>
  decideAccess(call, pipeline, call.body);
