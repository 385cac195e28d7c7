import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';

/** Returns a copy of a declaration with lists of its own, for a response. */
export const copyFlow = (flow: ToolFlow) => ({
  ...flow,
  labels: [...flow.labels],
  readers_from: [...flow.readers_from],
  readers: [...flow.readers],
});
