import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isDear } from '@svc/policy/judge/evaluate.ts';
import { decide, decideInParts, type Verdict } from '../decision/decide.ts';
import type { Command } from '../facts/command.ts';
import type { Facts } from '../facts/facts.ts';
import { failClosedAtOnce } from '../ports/fail-closed.ts';
import type { Ports } from '../ports/ports.ts';

type Decided = Verdict | Refusal<'POLICY_SERVICE_UNAVAILABLE'>;

type InTurn = NonNullable<Command['inTurn']>;

/** Whoever else asks is heard between the parts. The state may move meanwhile, as it may before what is decided is on record. */
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
 * Decides: at once, or where facts were waited for in the organization's turn, since all who waited for the same would otherwise decide in one
 * moment. Where a decision by these policies took long before, it is made in parts, with a turn for each.
 */
export const decideInTurn = (ports: Ports, command: Command, facts: Facts, hasWaited: boolean): Decided | Promise<Decided> => {
  const { inTurn } = command;
  if (inTurn && isDear(facts.environment.policies)) return inParts(ports, command, facts, inTurn);
  const decided = () => failClosedAtOnce('POLICY_SERVICE_UNAVAILABLE', ports, command, () => decide(facts, command.askedBy));
  return hasWaited && inTurn ? inTurn(async () => decided()) : decided();
};
