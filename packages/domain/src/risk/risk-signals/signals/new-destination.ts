import { countKnown, isFull, isKnown } from '../../conduct/bloom.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

export const newDestination: SignalDefinition = {
  name: 'new_destination',
  look: ({ conduct, destination }) => {
    if (destination === null || destination.isInternal) return undefined;
    if (conduct === null) return UNKNOWN;
    if (isKnown(conduct.destinations, destination.mark) || isFull(conduct.destinations)) return undefined;
    const known = countKnown(conduct.destinations);
    return {
      subject: destination.name,
      sentence: `The agent did not call ${destination.name} in the last 30 days; it knows about ${known} destinations.`,
      evidence: { destination: destination.name, known_destinations: known },
    };
  },
};
