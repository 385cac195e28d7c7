import { type SignalDefinition, UNKNOWN } from '../signal.ts';

const FROM = 5;
const HIGHER_FROM = 20;

export const repeatedRefusals: SignalDefinition = {
  name: 'repeated_refusals',
  look: ({ conduct, recent }) => {
    const count = Math.max(conduct?.refusedInRow ?? 0, recent.refusedInRow);
    if (count < FROM) return conduct === null ? UNKNOWN : undefined;
    return {
      isHigher: count >= HIGHER_FROM,
      subject: 'refusals',
      sentence: `The last ${count} requests of the agent were refused.`,
      evidence: { refusals: count },
    };
  },
};
