import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { PipelineVerdict } from '../decision/decide.ts';
import type { Asking } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import { listCheckedClaims } from '../govern/action-status.ts';
import { buildResponse, type GovernAnswer } from '../govern/answer.ts';
import { failClosed } from '../ports/fail-closed.ts';
import { type FactsRefusal, gatherFacts } from '../ports/gather-facts.ts';
import type { Ports } from '../ports/ports.ts';
import type { Supposed } from '../supposed/supposing.ts';
import { simulate } from './simulate.ts';

const ATTEMPTS_MAX = 8;

/** Reads the counters without taking anything. */
const simulateCounted = async (ports: Ports, facts: Facts, supposed: Supposed): Promise<PipelineVerdict> => {
  const verdict = simulate(facts, supposed);
  const claims = listCheckedClaims(verdict);
  const lost = claims.length === 0 ? null : await ports.counters.look(facts.environment.organization_id, claims);
  return lost ? simulate({ ...facts, lost: [lost] }, supposed) : verdict;
};

/** Decides a supposed request like `govern`: on the newest state, and without any write. */
export const governSimulation = async (
  ports: Ports,
  supposedly: Omit<Asking, 'source'>,
  supposed: Supposed,
): Promise<GovernAnswer | FactsRefusal> => {
  const command: Asking = { ...supposedly, source: null };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const facts = await gatherFacts(ports, command);
    if (isRefusal(facts)) return facts;
    const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () =>
      ports.governance.isCurrent(facts.environment, facts.agent),
    );
    if (isRefusal(current)) return current;
    if (current) {
      const verdict = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => simulateCounted(ports, facts, supposed));
      if (isRefusal(verdict)) return verdict;
      return buildResponse(facts, verdict, { command, actionId: null, course: { status: 'SIMULATED', call: null, execution: null } });
    }
    ports.governance.forget(facts.environment, facts.agent);
  }
  return buildRefusal('POLICY_SERVICE_UNAVAILABLE');
};
