import type { Node } from './node.ts';
import { TRUE } from './outcome.ts';

/** The condition of a rule that states none: it holds for every request. */
export const always: Node = () => TRUE;
