import { isId } from '@svc/contract/tables/ids.ts';
import type { NotedFacts } from '@svc/program/log/new-logger.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { FailedSignInCheck } from '../kept/sign-in-outcomes.ts';
import { exchangeAssertion, type Presented, type Presenting, type RedeemedAssertion, type RedeemRefusal } from './exchange-assertion.ts';
import { quantizeResponseTime } from './on-the-beat.ts';

type SignInCall = Omit<Presenting, 'presented'> & { readonly note: (facts: NotedFacts) => void };

/** Checks that an assertion of someone else fails, or one that was recorded. */
const IMPERSONATIONS: ReadonlySet<FailedSignInCheck> = new Set([
  'agent_named',
  'key_known',
  'signature',
  'audience',
  'window',
  'generation',
  'revocation',
]);

const OTHER_AGENT = 'The assertion is not from the agent in agent_id.';

/** Returns a fault of format, which may be disclosed: it depends only on the input. */
const shapeFault = (failed: FailedSignInCheck, { read }: Presented): string | undefined => {
  if (failed === 'agent_named') return OTHER_AGENT;
  return failed === 'shape' && 'fault' in read ? read.fault : undefined;
};

/**
 * Exchanges an assertion for a token, and reports the outcome to the operator. An impostor learns nothing from the response time, and from
 * the response only its own input.
 */
export const redeemAssertion = async (
  deps: GatewayDeps,
  call: SignInCall,
  presented: Presented,
): Promise<RedeemedAssertion | RedeemRefusal> => {
  const { requestId, traceId, now, sourceIp, note } = call;
  const startedAt = performance.now();
  const redeemed = await exchangeAssertion(deps, { requestId, traceId, now, sourceIp, presented });
  deps.signIns.count('refusal' in redeemed ? redeemed.check : 'passed');
  if (!('refusal' in redeemed)) return redeemed;
  // An invalid agent id is not logged: people paste secrets where ids belong.
  note({ agent_id: isId('agent', presented.agent_id) ? presented.agent_id : null, check: redeemed.check });
  if (redeemed.refusal.refused !== 'AGENT_AUTHENTICATION_FAILED') return redeemed.refusal;
  if (IMPERSONATIONS.has(redeemed.check)) deps.failedAssertions.count(presented.agent_id, sourceIp, now.getTime());
  const fault = shapeFault(redeemed.check, presented);
  return quantizeResponseTime(startedAt, fault === undefined ? redeemed.refusal : { ...redeemed.refusal, details: { fault } });
};
