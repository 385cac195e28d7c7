import type { Node } from './node.ts';
import { mirrored } from './outcome.ts';

/** The opposite; what is unknown stays unknown. */
export const compileNot =
  (part: Node): Node =>
  (context, run) =>
    mirrored(part(context, run));
