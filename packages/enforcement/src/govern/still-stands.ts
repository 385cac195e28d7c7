import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Command } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import type { GovernedCall } from '../ports/executors.ts';
import { failClosed } from '../ports/fail-closed.ts';
import { loadKnown } from '../ports/gather-facts.ts';
import type { Ports } from '../ports/ports.ts';
import { resolveOutcome } from './action-status.ts';
import { decideFairly } from './decide-in-turn.ts';

/** Maximum attempts for a state that keeps changing. */
const ATTEMPTS_MAX = 4;

/**
 * Decides a delayed call again in its organization's queue. Approval, velocity and ceilings are not checked again: this call used them up
 * when the decision was recorded.
 */
const isStillPermitted = async (ports: Ports, command: Command, facts: Facts, call: GovernedCall): Promise<boolean> => {
  const verdict = await decideFairly(ports, command, facts, true);
  if (isRefusal(verdict)) return false;
  const course = resolveOutcome(verdict, ports.executors);
  return course.call !== null && JSON.stringify(course.call) === JSON.stringify(call);
};

/**
 * True if a delayed call may still be sent. The request is decided again now, on the newest state if an epoch has moved: an emergency stop
 * stops it, so does an expiry by the clock, and an unrelated change does not.
 */
export const isCallStillAllowed = async (ports: Ports, command: Command, before: Facts, call: GovernedCall): Promise<boolean> => {
  let facts = before;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { environment, agent } = facts;
    const permitted = await isStillPermitted(ports, command, { ...facts, now: ports.clock() }, call);
    // Checked last: deciding waits in queues, and a stop meanwhile must count.
    const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, command, () => ports.governance.isCurrent(environment, agent));
    if (isRefusal(current)) return false;
    if (current) return permitted;
    ports.governance.forget(environment, agent);
    const snapshots = await loadKnown(ports, command);
    if (isRefusal(snapshots)) return false;
    facts = { ...before, ...snapshots };
  }
  return false;
};
