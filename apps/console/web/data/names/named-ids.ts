type Known = { readonly id: string; readonly name: string };

const WHOLE_ID = /^[a-z]{2,5}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ID = /[a-z]{2,5}_[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

export const getName = (id: string, known: readonly Known[]): string | undefined => known.find((each) => each.id === id)?.name;

/** The ids in a text, each once, in the order in which they stand there. */
export const getIds = (text: string): readonly string[] => [...new Set(text.match(ID))];

/** Those of them whose names are known. */
export const getNames = (text: string, known: readonly Known[]): readonly Known[] =>
  getIds(text).flatMap((id) => known.find((each) => each.id === id) ?? []);

/** A name with its id behind it, as it is offered to be chosen. */
export const offered = ({ id, name }: Known): string => `${name} (${id})`;

/** Returns the ids that an entered option, name or id may mean; several if the name is ambiguous, and none if it is unknown. */
export const resolveIds = (entered: string, known: readonly Known[]): readonly string[] => {
  const text = entered.trim();
  const chosen = /\(([^()]+)\)$/.exec(text)?.[1];
  const ids = [text, ...(chosen === undefined ? [] : [chosen])].filter((each) => WHOLE_ID.test(each));
  if (ids.length > 0) return ids.slice(-1);
  return known.filter(({ name }) => name.toLowerCase() === text.toLowerCase()).map(({ id }) => id);
};
