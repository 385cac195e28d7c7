import { type SignalDefinition, UNKNOWN } from '../signal.ts';

const FROM = 4;
const WINDOW_SECONDS = 600;

export const probing: SignalDefinition = {
  name: 'probing',
  look: ({ conduct, recent, nowMs }) => {
    const since = nowMs / 1000 - WINDOW_SECONDS;
    const folded = new Set(conduct?.refusedNames.filter(({ at }) => at > since).map(({ word }) => word));
    const count = Math.max(folded.size, recent.refusedNames);
    if (count < FROM) return conduct === null ? UNKNOWN : undefined;
    return {
      subject: 'probing',
      sentence: `Requests for ${count} tools or capabilities that the agent does not have were refused in ten minutes.`,
      evidence: { names: count },
    };
  },
};
