/** Returns all subsets of the items. */
export const listSubsets = <T>(items: readonly T[]): T[][] => {
  const subsets: T[][] = [[]];
  for (const item of items) for (const subset of subsets.slice()) subsets.push([...subset, item]);
  return subsets;
};
