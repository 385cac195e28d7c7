/**
 * What belongs to each of these, which are in the order of their ids, of as many of them, from the first on, as what was read is whole for. `parts` are in the order of whom they are of,
 * and one more than `limit` where there is more: of the last that was read, and of all after it, nothing is known.
 */
export const wholeOnes = <Whole extends { readonly id: string }, Part extends { readonly of: string }>(
  wholes: readonly Whole[],
  parts: readonly Part[],
  limit: number,
): readonly (readonly [Whole, readonly Part[]])[] => {
  const cut = parts.length > limit ? parts.at(-1)?.of : undefined;
  const known =
    cut === undefined
      ? wholes
      : wholes.slice(
          0,
          wholes.findIndex(({ id }) => id === cut),
        );
  const of = Map.groupBy(parts, (part) => part.of);
  return known.map((whole) => [whole, of.get(whole.id) ?? []] as const);
};
