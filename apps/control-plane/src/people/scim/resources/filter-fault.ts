const WITH_VALUE = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);

const isComparison = (words: readonly unknown[]): boolean => {
  const [operator, ...values] = words[0] === 'not' ? words.slice(1) : words;
  const name = String(operator).toLowerCase();
  return name === 'pr' ? values.length === 0 : WITH_VALUE.has(name) && values.length === 1;
};

/** Whether every comparison of a parsed filter is whole: the library takes one without a value, or with a word it does not know, for true or false. */
export const isWholeFilter = (parsed: unknown): boolean => {
  if (Array.isArray(parsed))
    return parsed.every((each) => typeof each === 'object' && each !== null) ? parsed.every(isWholeFilter) : isComparison(parsed);
  if (typeof parsed !== 'object' || parsed === null) return false;
  const members = Object.values(parsed);
  return members.length > 0 && members.every(isWholeFilter);
};
