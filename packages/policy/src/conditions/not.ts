import type { Node } from '../evaluation/node.ts';
import { mirrored } from '../evaluation/outcome.ts';

/** Negates a condition; unknown stays unknown. */
export const compileNot =
  (part: Node): Node =>
  (context, run) =>
    mirrored(part(context, run));
