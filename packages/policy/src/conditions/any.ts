import type { Node } from '../evaluation/node.ts';
import { FALSE, type TruthValue } from '../evaluation/outcome.ts';

export const compileAny =
  (parts: readonly Node[]): Node =>
  (context, run) => {
    let greatest: TruthValue = FALSE;
    for (const part of parts) {
      const outcome = part(context, run);
      if (outcome > greatest) greatest = outcome;
    }
    return greatest;
  };
