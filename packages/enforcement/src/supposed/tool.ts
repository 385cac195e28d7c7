import { tool } from '../stages/04-tool.ts';
import { asItStands, type Supposing, UNSPOKEN } from './supposing.ts';

const asked = asItStands(tool);

/** Checked if a tool is named. */
export const simulateTool: Supposing<(typeof tool)['refuses'][number]> = (facts, supposed, soFar) =>
  supposed.tool === undefined ? UNSPOKEN : asked(facts, supposed, soFar);
