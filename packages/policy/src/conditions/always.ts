import type { Node } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';

/** The condition of a rule without one: it holds for every request. */
export const always: Node = () => TRUE;
