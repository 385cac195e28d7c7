import type { Node } from '../evaluation/node.ts';
import { TRUE, type TruthValue } from '../evaluation/outcome.ts';

export const compileAll =
  (parts: readonly Node[]): Node =>
  (context, run) => {
    let least: TruthValue = TRUE;
    for (const part of parts) {
      const outcome = part(context, run);
      if (outcome < least) least = outcome;
    }
    return least;
  };
