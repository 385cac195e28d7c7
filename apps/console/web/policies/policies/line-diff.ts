export type DiffLine = { readonly sign: '+' | '-' | ' '; readonly text: string };

const LINES_MAX = 600;

/** Lengths of the longest common subsequences of the ends of two lists, by their first index. */
const commonLengths = (before: readonly string[], after: readonly string[]): readonly Uint16Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = table[i] as Uint16Array;
      const below = table[i + 1] as Uint16Array;
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  return table;
};

const signed = (sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ sign, text }));

/** The lines of two texts with those that were removed and added. Very long texts are compared as a whole. */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
  const [old, present] = [before.split('\n'), after.split('\n')];
  if (old.length > LINES_MAX || present.length > LINES_MAX) return [...signed('-', old), ...signed('+', present)];
  const table = commonLengths(old, present);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < present.length) {
    const text = old[i] as string;
    if (text === present[j]) {
      lines.push({ sign: ' ', text });
      i += 1;
      j += 1;
    } else if ((table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)) {
      lines.push({ sign: '-', text });
      i += 1;
    } else {
      lines.push({ sign: '+', text: present[j] as string });
      j += 1;
    }
  }
  return [...lines, ...signed('-', old.slice(i)), ...signed('+', present.slice(j))];
};
