import type { Endpoints } from '@svc/contract/endpoints.ts';
import { EFFECTS } from '@svc/contract/vocabulary.ts';
import { isEnforceable } from '@svc/enforcement/enforceable-effects.ts';
import type { Handler } from '@svc/http/call.ts';
import { versionSchema } from '@svc/policy/version-schema.ts';
import type { ControlDeps } from '../deps.ts';

/** JSON Schema of a version body with the effects that a version can be saved with. */
export const getPolicySchema: Handler<Endpoints['getPolicySchema'], ControlDeps> = () => versionSchema(EFFECTS.filter(isEnforceable));
