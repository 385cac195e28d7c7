import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPolicyBuilderSchema } from '@svc/policy/describe/builder-schema.ts';
import type { PoliciesDeps } from '../deps.ts';

/** Returns the policy language for an editor. */
export const getBuilderSchema: Handler<Endpoints['getBuilderSchema'], PoliciesDeps> = () => buildPolicyBuilderSchema();
