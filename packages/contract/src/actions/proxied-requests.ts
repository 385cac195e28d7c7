import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { AccessDecision } from './access.ts';
import { actionRefusals } from './action-refusals.ts';

/** The body of the request at the proxy, if the proxy sends it on. */
const ProxiedBody = Type.Unsafe<unknown>({ description: 'JSON body of the request at the proxy, if the proxy sends it on.' });

export const proxiedRequestEndpoints = {
  authorizeProxiedRequest: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'POST',
    path: '/gateway/v1/ext-authz/{mapping}',
    summary:
      'Decide a request at a proxy as a call of the tool whose route it matches. The request is what follows the path, in its own method; without a path it is in the headers X-Original-Method and X-Original-URI.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'pipeline',
    wire: 'ext-authz',
    takesSubPaths: true,
    body: ProxiedBody,
    bodyOptional: true,
    result: AccessDecision,
    emits: [
      ...(['action.requested', 'action.allowed', 'action.blocked', 'action.limited', 'action.masked', 'action.approval_required'] as const),
      ...(['action.observed', 'action.simulated', 'approval.requested'] as const),
    ],
    refuses: [
      ...actionRefusals,
      ...(['EXECUTION_FAILED', 'EXECUTION_TIMEOUT', 'INVALID_CREDENTIAL_REFERENCE', 'CREDENTIAL_SERVICE_UNAVAILABLE'] as const),
    ],
  }),
};
