/**
 * Returns the parts of each of these, which are in the order of their ids, for as many of them, from the first on, as were read completely.
 * `parts` are in the order of their owners,
 * and one more than `limit` if there are more: the last owner read, and all after it, are incomplete.
 */
export const joinParts = <Whole extends { readonly id: string }, Part extends { readonly of: string }>(
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
