import { REACHES, SIDE_EFFECTS, type ToolFlow } from '@svc/contract/risk/flow-words.ts';

const lacks = (before: readonly string[], after: readonly string[]): boolean => before.some((one) => !after.includes(one));

const narrows = <Word>(words: readonly Word[], before: Word | null, after: Word | null): boolean =>
  before !== after && (before === null || after === null || words.indexOf(after) < words.indexOf(before));

/** True if a declaration lets more data leave than the one before: what is not declared is the loosest. */
export const loosensFlow = (before: ToolFlow, after: ToolFlow): boolean =>
  lacks(before.labels, after.labels) ||
  (before.reach !== null && narrows(REACHES, before.reach, after.reach)) ||
  (before.side_effects !== null && narrows(SIDE_EFFECTS, before.side_effects, after.side_effects)) ||
  (before.reach === null && after.reach === 'INTERNAL') ||
  (before.side_effects === null && after.side_effects === 'NONE') ||
  lacks(after.readers, before.readers) ||
  lacks(before.readers_from, after.readers_from) ||
  lacks(after.readers_from, before.readers_from) ||
  before.recipient_from !== after.recipient_from ||
  (before.store_key_from !== null && before.store_key_from !== after.store_key_from) ||
  (before.load_key_from !== null && before.load_key_from !== after.load_key_from);
