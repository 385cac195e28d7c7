import { findHostBlock, inForce } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['DESTINATION_BLOCKED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const UNSAID = 'The tool may only call certain destinations, and the request states none.';

/**
 * Checks that no emergency control blocks the destination, and that it is in the tool's allowlist. Omitting the destination does not bypass
 * this.
 */
const checkDestination = ({ environment, now }: Facts, learned: Learned): Answer => {
  const { destination } = requireKnown(learned.derived, 'request');
  const block = destination && findHostBlock(inForce(environment.blocked, now), destination.host, destination.port);
  if (block) {
    const { host, port } = destination;
    return refuseStage('DESTINATION_BLOCKED', `${host} is blocked by an emergency control.`, { host, port, blocked_by: block.id });
  }
  const tool = requireKnown(learned.tool, 'tool');
  if (destination === null) return tool.allowlist.length === 0 ? PASSED : refuseStage('DESTINATION_BLOCKED', UNSAID, { tool: tool.name });
  if (isAllowed(tool.allowlist, destination)) return PASSED;
  return refuseStage('DESTINATION_BLOCKED', `${destination.host} is not among the destinations allowed for ${tool.name}.`, {
    host: destination.host,
    port: destination.port,
  });
};

export const destination = defineStage({ name: 'destination', relaxedByObserve: false, refuses: REFUSES, check: checkDestination });
