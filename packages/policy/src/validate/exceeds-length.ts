const ownLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length + 2;
  return typeof value === 'object' && value !== null ? 2 : String(value).length;
};

/**
 * Returns true if a value takes more characters of JSON than that, without commas and escapes. Walks without recursion, so no depth
 * overflows the stack.
 */
export const exceedsLength = (value: unknown, lengthMax: number): boolean => {
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0 && length <= lengthMax) {
    const next = open.pop();
    length += ownLength(next);
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      length += next.length;
      if (length <= lengthMax) for (const element of next) open.push(element);
    } else {
      for (const [key, member] of Object.entries(next)) {
        length += key.length + 3;
        open.push(member);
      }
    }
  }
  return length > lengthMax;
};
