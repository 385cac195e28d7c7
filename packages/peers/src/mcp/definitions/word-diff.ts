/** Differences between two definitions, for the person who decides about a change. */
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { formatPointer } from '@svc/domain/tools/json-pointer.ts';
import type { ToolDefinition } from './definition.ts';
import { drawInvisible } from './visible-text.ts';

/** A part of a text that both versions have, or only one of them. Invisible characters are drawn. */
export type WordChange = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** One changed place of a definition. Texts have `words`, other values `before` and `after` as JSON. */
export type DefinitionChange = {
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly words?: readonly WordChange[];
  readonly before?: string;
  readonly after?: string;
};

const WORDS = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;
/** Words compared one by one, and edits searched for; beyond these the changed middle is shown as a whole. */
const WORDS_MAX = 8_000;
const EDITS_MAX = 600;
const CHANGES_MAX = 200;

type Edit = { readonly kind: WordChange['kind']; readonly words: readonly string[] };

/** The furthest positions of each number of edits (Myers, "An O(ND) Difference Algorithm", 1986); undefined if there are more edits than allowed. */
const furthestPaths = (before: readonly string[], after: readonly string[]): readonly Int32Array[] | undefined => {
  const width = 2 * EDITS_MAX + 3;
  const middle = EDITS_MAX + 1;
  const reach = new Int32Array(width);
  const paths: Int32Array[] = [];
  for (let edits = 0; edits <= EDITS_MAX; edits += 1) {
    paths.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [left, right] = [reach[middle + diagonal - 1] ?? 0, reach[middle + diagonal + 1] ?? 0];
      let x = diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return paths;
    }
  }
  return undefined;
};

const traceBack = (before: readonly string[], after: readonly string[], paths: readonly Int32Array[]): readonly Edit[] => {
  const edits: Edit[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = paths.length - 1; count >= 0; count -= 1) {
    const reach = paths[count] ?? new Int32Array();
    const at = (diagonal: number): number => reach[diagonal + count + 1] ?? 0;
    const diagonal = x - y;
    const isInsertion = diagonal === -count || (diagonal !== count && at(diagonal - 1) < at(diagonal + 1));
    const from = isInsertion ? diagonal + 1 : diagonal - 1;
    const startX = count === 0 ? 0 : at(from);
    const startY = count === 0 ? 0 : startX - from;
    while (x > startX && y > startY) {
      edits.push({ kind: 'same', words: [before[x - 1] ?? ''] });
      x -= 1;
      y -= 1;
    }
    if (count === 0) break;
    if (isInsertion) edits.push({ kind: 'added', words: [after[y - 1] ?? ''] });
    else edits.push({ kind: 'removed', words: [before[x - 1] ?? ''] });
    [x, y] = [startX, startY];
  }
  return edits.reverse();
};

const compareWords = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  const whole: readonly Edit[] = [
    { kind: 'removed', words: before },
    { kind: 'added', words: after },
  ];
  if (before.length === 0 || after.length === 0 || before.length + after.length > WORDS_MAX) return whole;
  const paths = furthestPaths(before, after);
  return paths === undefined ? whole : traceBack(before, after, paths);
};

const join = (edits: readonly Edit[]): readonly WordChange[] => {
  const joined: { kind: WordChange['kind']; text: string }[] = [];
  for (const { kind, words } of edits) {
    const text = words.join('');
    const last = joined.at(-1);
    if (text === '') continue;
    if (last?.kind === kind) last.text += text;
    else joined.push({ kind, text });
  }
  return joined.map(({ kind, text }) => ({ kind, text: drawInvisible(text) }));
};

/** Compares two texts word by word. Takes bounded time: texts that differ too much are shown as one removal and one addition. */
export const wordDiff = (before: string, after: string): readonly WordChange[] => {
  const [old, now] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  const shortest = Math.min(old.length, now.length);
  let first = 0;
  while (first < shortest && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < shortest - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  return join([
    { kind: 'same', words: old.slice(0, first) },
    ...compareWords(old.slice(first, old.length - last), now.slice(first, now.length - last)),
    { kind: 'same', words: old.slice(old.length - last) },
  ]);
};

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => drawInvisible(typeof value === 'string' ? value : JSON.stringify(value));

const changeAt = (tokens: readonly string[], before: unknown, after: unknown): DefinitionChange => {
  const pointer = formatPointer(tokens);
  if (before === undefined) return { pointer, kind: 'added', after: shown(after) };
  if (after === undefined) return { pointer, kind: 'removed', before: shown(before) };
  if (typeof before === 'string' && typeof after === 'string')
    return { pointer, kind: 'changed', words: wordDiff(before, after), before: shown(before), after: shown(after) };
  return { pointer, kind: 'changed', before: shown(before), after: shown(after) };
};

const compare = (tokens: readonly string[], before: unknown, after: unknown, changes: DefinitionChange[]): void => {
  if (changes.length >= CHANGES_MAX || canonicalJson(before) === canonicalJson(after)) return;
  if (!isMembers(before) || !isMembers(after)) {
    changes.push(changeAt(tokens, before, after));
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [Object.hasOwn(before, name) ? before[name] : undefined, Object.hasOwn(after, name) ? after[name] : undefined];
    if (old !== undefined || now !== undefined) compare([...tokens, name], old, now, changes);
  }
};

/** Returns the changed places between two definitions, at most 200. */
export const definitionDiff = (before: ToolDefinition, after: ToolDefinition): readonly DefinitionChange[] => {
  const changes: DefinitionChange[] = [];
  compare([], before, after, changes);
  return changes;
};
