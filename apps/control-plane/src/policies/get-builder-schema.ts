import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isEnforceable } from '@svc/enforcement/enforceable-effects.ts';
import type { Handler } from '@svc/http/call.ts';
import { builderSchema } from '@svc/policy/builder-schema.ts';
import type { ControlDeps } from '../deps.ts';

/** The language for an editor, without the effects that a version could not be saved with. */
export const getBuilderSchema: Handler<Endpoints['getBuilderSchema'], ControlDeps> = () => {
  const schema = builderSchema();
  return { ...schema, effects: schema.effects.filter((effect) => isEnforceable(effect.name)) };
};
