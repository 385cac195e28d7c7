import { isAllowed } from '@svc/domain/destinations/allowlist.ts';
import type { Facts, Learned } from '../facts.ts';
import { known, PASSED, refused, type Stage, type StageAnswer } from '../stage.ts';

/** Where the call goes lies inside the tool's allowlist. A tool that reaches nowhere has nothing to check. */
const checkDestination = (_facts: Facts, learned: Learned): StageAnswer => {
  const { destination } = known(learned.derived, 'request');
  if (destination === null) return PASSED;
  const tool = known(learned.tool, 'tool');
  if (isAllowed(tool.allowlist, destination)) return PASSED;
  return refused('DESTINATION_BLOCKED', `${destination.host} is not among the destinations allowed for ${tool.name}.`, {
    host: destination.host,
    port: destination.port,
  });
};

export const destination: Stage = { name: 'destination', relaxedByObserve: false, check: checkDestination };
