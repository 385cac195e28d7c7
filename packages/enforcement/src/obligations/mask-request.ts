import { isFaults } from '@svc/domain/tools/fault.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { buildCall, callDestination } from '../execution/build-call.ts';
import type { CallRequest } from '../facts/call-request.ts';
import type { Learned, MaskedRequest } from '../facts/facts.ts';
import { type Refused, refuseStage, requireKnown } from '../facts/stage.ts';

type Unmaskable = { readonly refused: Refused<'ACTION_BLOCKED'> };

const unmaskable = (paths: readonly string[]): Unmaskable => ({
  refused: refuseStage('ACTION_BLOCKED', 'The call requires values that rules mask, so it was not made.', { masked: paths }),
});

/** Returns the masked call; its destination must not change, or it is not sent. */
const maskedCall = (learned: Learned, parameters: Readonly<Record<string, unknown>>): CallRequest | null | undefined => {
  const { execution, destination } = requireKnown(learned.derived, 'request');
  if (execution === null) return null;
  const call = buildCall(requireKnown(learned.tool, 'tool'), parameters);
  if (call === null) return null;
  if (isFaults(call)) return undefined;
  const place = callDestination(call);
  return 'fault' in place || place.host !== destination?.host || place.port !== destination.port ? undefined : call;
};

/** Returns the call to send, with every path of every matching MASK rule hidden in its parameters. */
export const maskRequest = (learned: Learned): MaskedRequest | Unmaskable | undefined => {
  const { mask } = requireKnown(learned.policy, 'policy decision').obligations;
  if (mask === null || mask.parameters.length === 0) return undefined;
  const derived = requireKnown(learned.derived, 'request');
  const execution = maskedCall(learned, maskPaths(derived.parameters, mask.parameters));
  return execution === undefined ? unmaskable(mask.parameters) : { execution };
};
