import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Asking } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import type { Refused } from '../facts/stage.ts';
import { failClosed } from '../ports/fail-closed.ts';
import { loadSnapshots } from '../ports/gather-facts.ts';
import type { Ports } from '../ports/ports.ts';
import { checkIdentity } from '../stages/01-identity.ts';
import { checkEnvironment } from '../stages/02-environment.ts';
import { checkAgent } from '../stages/03-agent.ts';

type Standing = Pick<Facts, 'agent' | 'environment' | 'session' | 'now'>;
type CodeOf<Answer> = Answer extends Refused<infer Code> ? Code : never;

/** Codes that are about the caller and the scope, not about the request. */
export type StopCode = CodeOf<ReturnType<typeof checkIdentity> | ReturnType<typeof checkEnvironment> | ReturnType<typeof checkAgent>>;
export type Stop = Refused<StopCode>;

/** Returns the refusal that any new request of the agent would get now. */
export const findStop = (standing: Standing): Stop | undefined => {
  for (const check of [checkIdentity, checkEnvironment, checkAgent]) {
    const answer = check(standing);
    if (answer.outcome === 'refused') return answer;
  }
  return undefined;
};

/** Maximum attempts for a state that keeps changing. */
const ATTEMPTS_MAX = 4;

export type AskingAgent = Pick<Asking, 'organizationId' | 'agentId' | 'session' | 'requestId' | 'traceId'>;

/** Returns the same on the newest state: one epoch query if nothing has changed. `unknown`: it could not be checked. */
export const stopNow = async (ports: Ports, asking: AskingAgent): Promise<Stop | 'unknown' | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const snapshots = await loadSnapshots(ports, asking);
    if (isRefusal(snapshots)) return 'unknown';
    const { environment, agent } = snapshots;
    const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, asking, () => ports.governance.isCurrent(environment, agent));
    if (isRefusal(current)) return 'unknown';
    if (current) return findStop({ environment, agent, session: asking.session, now: ports.clock() });
    ports.governance.forget(environment, agent);
  }
  return 'unknown';
};
