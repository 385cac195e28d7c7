const DISTANCE_MAX = 3;

const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + same));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
};

/** The word that is closest to a mistyped one; undefined if none is close. */
export const findNearestWord = (word: string, words: readonly string[]): string | undefined => {
  const [first] = words
    .map((each) => ({ each, far: distance(word.slice(0, 60), each.slice(0, 60)) }))
    .toSorted((left, right) => left.far - right.far);
  return first !== undefined && first.far <= DISTANCE_MAX ? first.each : undefined;
};
