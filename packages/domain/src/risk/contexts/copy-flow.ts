import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';

/** A declaration with lists of its own, as it is answered. */
export const copyFlow = (flow: ToolFlow) => ({
  ...flow,
  labels: [...flow.labels],
  readers_from: [...flow.readers_from],
  readers: [...flow.readers],
});
