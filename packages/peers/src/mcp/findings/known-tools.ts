/** A tool of another server of the same environment. */
export type OtherTool = { readonly server: string; readonly name: string };

/** The server that is judged, and the tools around it. */
export type ToolContext = { readonly serverName: string; readonly ownTools: readonly string[]; readonly otherTools: readonly OtherTool[] };

/** Letters that look alike, by the Latin one. Unicode Technical Standard 39 calls what they map to a skeleton. */
const LOOKALIKE_LETTERS: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'ьƅ',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еҽɛ',
  g: 'ɡԍ',
  h: 'һհ',
  i: 'іıι',
  j: 'јϳ',
  k: 'кκ',
  l: '1|ӏⅼ',
  m: 'мᴍ',
  n: 'пռ',
  o: '0оοօ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υս',
  v: 'ѵν',
  w: 'ԝѡω',
  x: 'хχ',
  y: 'уγү',
  z: 'ᴢ',
};

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKE_LETTERS).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/** Returns what a name looks like: names that are easily confused have the same skeleton. */
const nameSkeleton = (name: string): string =>
  Array.from(name.replaceAll('I', 'l').normalize('NFKC').toLowerCase(), (letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

const withoutSeparators = (name: string): string => name.replace(/[_.-]/gu, '');

export type ToolIndex = {
  readonly byName: ReadonlyMap<string, OtherTool>;
  readonly bySkeleton: ReadonlyMap<string, OtherTool>;
  readonly byLetters: ReadonlyMap<string, OtherTool>;
  readonly byLength: ReadonlyMap<number, readonly OtherTool[]>;
};

/** Each listing judges up to a thousand definitions with the same tools. */
const indexes = new WeakMap<readonly OtherTool[], ToolIndex>();

/** Returns the tools of other servers by what is looked up of them. */
export const indexTools = (tools: readonly OtherTool[]): ToolIndex => {
  const kept = indexes.get(tools);
  if (kept !== undefined) return kept;
  const first = (key: (name: string) => string): ReadonlyMap<string, OtherTool> =>
    new Map(tools.toReversed().map((tool) => [key(tool.name), tool]));
  const index: ToolIndex = {
    byName: first((name) => name.toLowerCase()),
    bySkeleton: first(nameSkeleton),
    byLetters: first((name) => withoutSeparators(nameSkeleton(name))),
    byLength: Map.groupBy(tools, ({ name }) => name.length),
  };
  indexes.set(tools, index);
  return index;
};

const CANDIDATES_MAX = 2_000;
const NAME_CHARS_MIN = 6;

/** Returns true if one inserted, left out, changed or swapped character makes one name of the other. */
const isOneEditApart = (a: string, b: string): boolean => {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let first = 0;
  while (first < a.length && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last)) last += 1;
  const [left, right] = [a.slice(first, a.length - last), b.slice(first, b.length - last)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
};

/** A tool of another server whose name is easily confused with the given one, and how. */
export type Lookalike = { readonly tool: OtherTool; readonly how: 'letters' | 'separators' | 'spelling' | 'ending' };

/** Returns the tool of another server that a name is most easily confused with. A name that two servers share is no lookalike. */
export const findLookalike = (name: string, { otherTools, ownTools }: ToolContext): Lookalike | undefined => {
  const index = indexTools(otherTools);
  if (index.byName.has(name.toLowerCase())) return undefined;
  const skeleton = nameSkeleton(name);
  const same = index.bySkeleton.get(skeleton);
  if (same !== undefined) return { tool: same, how: 'letters' };
  const spelled = index.byLetters.get(withoutSeparators(skeleton));
  if (spelled !== undefined) return { tool: spelled, how: 'separators' };
  if (name.length < NAME_CHARS_MIN) return undefined;
  const near = [name.length, name.length - 1, name.length + 1].flatMap((length) => index.byLength.get(length) ?? []);
  const own = new Set(ownTools);
  const close = near.slice(0, CANDIDATES_MAX).find((tool) => !own.has(tool.name) && isOneEditApart(nameSkeleton(tool.name), skeleton));
  if (close === undefined) return undefined;
  const isEnding = `${close.name}s` === name || `${name}s` === close.name;
  return { tool: close, how: isEnding ? 'ending' : 'spelling' };
};

/** Scripts with letters that look like those of another of these. */
const CONFUSABLE_SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** Returns true if a name mixes scripts whose letters are easily confused. */
export const isMixedScript = (name: string): boolean =>
  CONFUSABLE_SCRIPTS.filter((script) => script.test(name.normalize('NFKC'))).length > 1;
