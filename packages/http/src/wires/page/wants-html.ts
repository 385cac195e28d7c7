type Range = { readonly type: string; readonly weight: number };

const listRanges = (accept: string): readonly Range[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
  });

/** Returns the weight of the most specific range that matches a type; undefined if none does. */
const getWeight = (ranges: readonly Range[], type: string): number => {
  const within = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  const matching = within.map((each) => ranges.find((range) => range.type === each)).find((range) => range !== undefined);
  return matching?.weight ?? 0;
};

/** True if `Accept` prefers HTML to JSON, as browsers do and programs do not. */
export const prefersHtml = (accept: string | undefined): boolean => {
  if (accept === undefined) return false;
  const ranges = listRanges(accept);
  return getWeight(ranges, 'text/html') > getWeight(ranges, 'application/json');
};
