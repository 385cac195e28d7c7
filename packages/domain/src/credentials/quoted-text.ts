import { newWalk, type TextRange } from './find-text.ts';

/** A text with each run of backslashes reduced to one, and none before a quote, and the position of each character in the original. */
type Collapsed = {
  readonly text: string;
  /** One more than characters: the last is the end of the text. Undefined if nothing was removed. */
  readonly places: Uint32Array | undefined;
};

const BACKSLASH = '\\';
const RUN = /\\+"?/g;
/** The last backslash of a run that is not part of a quote. */
const ESCAPE = /\\(?!["\\])/;

const getCollapsed = (text: string): Collapsed => {
  if (!text.includes(BACKSLASH)) return { text, places: undefined };
  const places = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let count = 0;
  let from = 0;
  const keep = (to: number): void => {
    pieces.push(text.slice(from, to));
    for (let at = from; at < to; at += 1) places[count++] = at;
  };
  for (const { 0: run, index } of text.matchAll(RUN)) {
    keep(index);
    pieces.push(run.endsWith('"') ? '"' : BACKSLASH);
    places[count++] = index;
    from = index + run.length;
  }
  keep(text.length);
  places[count] = text.length;
  return { text: pieces.join(''), places };
};

/** Returns the end of the run of backslashes that begins here. */
const endOfRun = (text: string, from: number): number => {
  let at = from;
  while (text[at] === BACKSLASH) at += 1;
  return at;
};

/** A prepared encoding with quotes or escapes. */
type Needle = {
  readonly text: string /** Trailing backslashes may precede a quote that is not part of it. */;
  readonly isOpen: boolean;
  readonly walk: ReturnType<typeof newWalk>;
};

const getNeedle = (spelling: string): Needle => {
  let end = spelling.length;
  while (spelling[end - 1] === BACKSLASH) end -= 1;
  const { text } = getCollapsed(spelling.slice(0, end));
  return { text, isOpen: end < spelling.length, walk: newWalk(text) };
};

/** A text in which such spellings are looked for one after the other. */
export type Quoted = { readonly text: string; readonly collapsed: () => Collapsed };

export const quoted = (text: string): Quoted => {
  let made: Collapsed | undefined;
  const collapsed = (): Collapsed => {
    made ??= getCollapsed(text);
    return made;
  };
  return { text, collapsed };
};

const findsOf = ({ text, collapsed }: Quoted, needle: Needle): readonly TextRange[] => {
  const { text: searched, places } = collapsed();
  const getPlace = (at: number): number => places?.[at] ?? at;
  const finds: TextRange[] = [];
  needle.walk(searched, (at) => {
    const next = at + needle.text.length;
    const behind = getPlace(next);
    const end = needle.isOpen ? endOfRun(text, behind) : behind;
    if (needle.isOpen && end === behind) return at + 1;
    finds.push([getPlace(at), end]);
    return next;
  });
  return finds;
};

/**
 * Finds a spelling in a text. A quote or an escape is quoted once more in each text that the text before becomes part of: any number of
 * backslashes is the same here. Nothing is compiled from the spelling.
 */
export const findingQuoted = (spelling: string): ((quotedText: Quoted) => readonly TextRange[]) => {
  let needle: Needle | undefined;
  const hasEscapes = ESCAPE.test(spelling);
  return (given) => {
    if (!given.text.includes(hasEscapes ? BACKSLASH : '"')) return [];
    needle ??= getNeedle(spelling);
    if (needle.text !== '') return findsOf(given, needle);
    return [...given.text.matchAll(/\\+/g)].map(({ 0: run, index }) => [index, index + run.length]);
  };
};
