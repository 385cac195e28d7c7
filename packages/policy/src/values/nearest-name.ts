const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? left.length;
};

/** Returns the known name that a misspelt one most likely means, or null if none is near. */
export const findNearestName = (name: string, known: readonly string[]): string | null => {
  if (name.length > 64) return null;
  const lower = name.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(2, Math.floor(name.length / 4)) + 1;
  for (const candidate of known) {
    const steps = distance(lower, candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      nearest = candidate;
    }
  }
  return nearest;
};
