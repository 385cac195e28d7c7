/** The number of rows in flight or waiting at which a key counts as heavy; rows are weighed by half of a batch's weight. */
export const MANY = 8;

/** Returns how many rows a row of such a weight counts as. */
export const countWeightedRows = (weight: number, weightMax: number): number => 1 + Math.floor((2 * MANY * weight) / weightMax);

/** Which rows are on their way, by whose they are. */
export type UnderWay = {
  /** Records rows that leave, by their counts, and returns a function that records their return. */
  readonly note: (left: readonly { readonly key: string; readonly rows: number }[]) => () => void;
  readonly isMany: (key: string) => boolean;
  /** Returns true if any key is heavy. */
  readonly hasMany: () => boolean;
};

export const newUnderWay = (): UnderWay => {
  const counts = new Map<string, number>();
  let many = 0;
  const add = (key: string, rows: number): void => {
    const before = counts.get(key) ?? 0;
    const after = before + rows;
    if (after === 0) counts.delete(key);
    else counts.set(key, after);
    if (before < MANY !== after < MANY) many += after < MANY ? -1 : 1;
  };
  return {
    note: (left) => {
      const noted = new Map<string, number>();
      for (const { key, rows } of left) noted.set(key, (noted.get(key) ?? 0) + rows);
      for (const [key, rows] of noted) add(key, rows);
      return () => {
        for (const [key, rows] of noted) add(key, -rows);
      };
    },
    isMany: (key) => (counts.get(key) ?? 0) >= MANY,
    hasMany: () => many > 0,
  };
};
