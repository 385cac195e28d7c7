import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isExpensiveSet } from '@svc/policy/judge/evaluate.ts';
import { decide, decideInParts, type PipelineVerdict } from '../decision/decide.ts';
import type { Command } from '../facts/decision-request.ts';
import type { Facts } from '../facts/facts.ts';
import { failClosedAtOnce } from '../ports/fail-closed.ts';
import type { Ports } from '../ports/ports.ts';

type Decided = PipelineVerdict | Refusal<'POLICY_SERVICE_UNAVAILABLE'>;

type InTurn = NonNullable<Command['inTurn']>;

/** Decides in parts, between which other requests run. The state may change meanwhile, as it may before the decision is recorded. */
const inParts = async (ports: Ports, command: Command, facts: Facts, inTurn: InTurn): Promise<Decided> => {
  const parts = decideInParts(facts, command.askedBy);
  const goOn = () => failClosedAtOnce('POLICY_SERVICE_UNAVAILABLE', ports, command, () => parts.next());
  for (;;) {
    const part = await inTurn(async () => goOn());
    if (isRefusal(part)) return part;
    if (part.done) return part.value;
  }
};

/**
 * Decides at once, or, if it waited for facts, in the organization's fair queue, since all requests that waited for the same facts would
 * otherwise be decided in one tick. If a decision with these policies was slow before, it is made in parts, each queued.
 */
export const decideFairly = (ports: Ports, command: Command, facts: Facts, hasWaited: boolean): Decided | Promise<Decided> => {
  const { inTurn } = command;
  if (inTurn && isExpensiveSet(facts.environment.policies)) return inParts(ports, command, facts, inTurn);
  const decided = () => failClosedAtOnce('POLICY_SERVICE_UNAVAILABLE', ports, command, () => decide(facts, command.askedBy));
  return hasWaited && inTurn ? inTurn(async () => decided()) : decided();
};
