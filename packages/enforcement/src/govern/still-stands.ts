import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Command } from '../facts/command.ts';
import type { Facts } from '../facts/facts.ts';
import type { GovernedCall } from '../ports/executors.ts';
import { failClosed } from '../ports/fail-closed.ts';
import { loadKnown } from '../ports/gather-facts.ts';
import type { Ports } from '../ports/ports.ts';
import { courseOf } from './action-status.ts';
import { decideInTurn } from './decide-in-turn.ts';

/** A state that moves faster than this many decisions can be made is not one to act on. */
const ATTEMPTS_MAX = 4;

/**
 * A call that waited is decided again in its organization's turn, as any decision after a wait. Approval, velocity and ceilings were settled
 * when the decision was recorded, and are not asked again: this very call used them up.
 */
const isStillPermitted = async (ports: Ports, command: Command, facts: Facts, call: GovernedCall): Promise<boolean> => {
  const verdict = await decideInTurn(ports, command, facts, true);
  if (isRefusal(verdict)) return false;
  const course = courseOf(verdict, ports.executors);
  return course.call !== null && JSON.stringify(course.call) === JSON.stringify(call);
};

/**
 * Whether a call that had to wait may still go. The request is decided once more at this moment, on the newest state where an epoch has
 * moved: an emergency stop stops what waits, so does an end that came by the clock and moved nothing, and a change that does not concern
 * it lets it go.
 */
export const stillStands = async (ports: Ports, command: Command, before: Facts, call: GovernedCall): Promise<boolean> => {
  let facts = before;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { environment, agent } = facts;
    const permitted = await isStillPermitted(ports, command, { ...facts, now: ports.clock() }, call);
    // Asked last: deciding waits for turns, and a stop that comes meanwhile stops it.
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
