/** A result that differs from the story, as one sentence. */
export class StoryFault extends Error {
  override name = 'StoryFault';
}

/** Throws a StoryFault unless the condition holds. */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new StoryFault(sentence);
}
