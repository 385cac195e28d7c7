/** Something did not come out as the story tells it, as one sentence. */
export class StoryFault extends Error {
  override name = 'StoryFault';
}

/** Holds the story to what it says. */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new StoryFault(sentence);
}
