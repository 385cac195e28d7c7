export type Variables = ReadonlyMap<string, string>;

const VARIABLE = /\{\{([^{}]+)\}\}/g;
const ROUNDS_MAX = 5;
const CHARACTERS_MAX = 10_000;

/** A text with the variables that the collection itself sets; others stay as they are. */
export const fillVariables = (text: string, variables: Variables): string => {
  let current = text;
  for (let round = 0; round < ROUNDS_MAX && current.length < CHARACTERS_MAX; round += 1) {
    const next = current.replace(VARIABLE, (written, name: string) => variables.get(name.trim()) || written);
    if (next === current) break;
    current = next;
  }
  return current;
};
