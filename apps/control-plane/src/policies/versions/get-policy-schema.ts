import type { Endpoints } from '@svc/contract/endpoints.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildVersionSchema } from '@svc/policy/describe/version-schema.ts';
import type { PoliciesDeps } from '../deps.ts';

/** Returns the JSON Schema of a version body with every effect. */
export const getPolicySchema: Handler<Endpoints['getPolicySchema'], PoliciesDeps> = () => buildVersionSchema(EFFECTS);
