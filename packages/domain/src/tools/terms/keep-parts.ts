/** Parts of a JSON value, as a tree of the steps that lead to them. */
type Parts = { isWhole: boolean; readonly steps: Map<string, Parts> };

const newParts = (): Parts => ({ isWhole: false, steps: new Map() });

/** The parts that these pointers' tokens lead to. */
const partsOf = (pointers: readonly (readonly string[])[]): Parts => {
  const root = newParts();
  for (const tokens of pointers) {
    let parts = root;
    for (const token of tokens) {
      const next = parts.steps.get(token) ?? newParts();
      parts.steps.set(token, next);
      parts = next;
    }
    parts.isWhole = true;
  }
  return root;
};

const EACH = '*';
const absent = Symbol('absent');
const INDEX = /^(0|[1-9][0-9]{0,9})$/;

/** Elements keep their indexes, so that references by index stay valid; skipped ones before a kept one are null. */
const keepElements = (list: readonly unknown[], { steps }: Parts): unknown => {
  const each = steps.get(EACH);
  const positions = [...steps.keys()].filter((token) => INDEX.test(token)).map(Number);
  const length = each === undefined ? Math.min(list.length, Math.max(-1, ...positions) + 1) : list.length;
  if (length === 0 && list.length > 0) return absent;
  const kept = list.slice(0, length).map((element, index) => {
    const own = steps.get(String(index));
    const parts = own === undefined || each === undefined ? (own ?? each) : merged(own, each);
    const part = parts === undefined ? absent : keep(element, parts);
    return part === absent ? null : part;
  });
  return kept;
};

const merged = (one: Parts, other: Parts): Parts => {
  const both: Parts = { isWhole: one.isWhole || other.isWhole, steps: new Map(one.steps) };
  for (const [token, parts] of other.steps) {
    const own = both.steps.get(token);
    both.steps.set(token, own === undefined ? parts : merged(own, parts));
  }
  return both;
};

const keep = (value: unknown, parts: Parts): unknown => {
  if (parts.isWhole) return value;
  if (typeof value !== 'object' || value === null) return absent;
  if (Array.isArray(value)) return keepElements(value, parts);
  const members: [string, unknown][] = [];
  for (const [token, next] of parts.steps) {
    if (!Object.hasOwn(value, token)) continue;
    const kept = keep((value as Readonly<Record<string, unknown>>)[token], next);
    if (kept !== absent) members.push([token, kept]);
  }
  // Entries become own members for all names, also `__proto__`.
  return members.length === 0 ? absent : Object.fromEntries(members);
};

/** Returns true if the tokens lead to a value. */
const leadsSomewhere = (value: unknown, tokens: readonly string[], from = 0): boolean => {
  if (from === tokens.length) return true;
  if (typeof value !== 'object' || value === null) return false;
  const token = tokens[from] ?? '';
  if (!Array.isArray(value)) {
    return Object.hasOwn(value, token) && leadsSomewhere((value as Readonly<Record<string, unknown>>)[token], tokens, from + 1);
  }
  if (token === EACH) return value.some((element) => leadsSomewhere(element, tokens, from + 1));
  return INDEX.test(token) && Number(token) < value.length && leadsSomewhere(value[Number(token)], tokens, from + 1);
};

export type KeptParts = {
  /** Null if nothing is kept. */
  readonly value: unknown;
  /** Indexes of the pointers that matched. */
  readonly found: readonly number[];
};

/**
 * Returns the parts of a JSON value at the pointers, in position; `*` matches each element of a list. The result contains exactly the named
 * parts.
 */
export const keepParts = (value: unknown, pointers: readonly (readonly string[])[]): KeptParts => {
  const kept = keep(value, partsOf(pointers));
  return {
    value: kept === absent ? null : kept,
    found: pointers.flatMap((tokens, index) => (leadsSomewhere(value, tokens) ? [index] : [])),
  };
};
