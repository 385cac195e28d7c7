/** A key with so many rows on their way has others wait for what is its own. */
const MANY = 8;

/** Which rows are on their way, by whose they are. */
export type UnderWay = {
  /** Notes rows that leave, and answers how to note that they have come back. */
  readonly note: (keys: readonly string[]) => () => void;
  /** Whether a key has none there, while another has many. */
  readonly isBesideMany: (key: string) => boolean;
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
    note: (keys) => {
      const noted = new Map<string, number>();
      for (const key of keys) noted.set(key, (noted.get(key) ?? 0) + 1);
      for (const [key, rows] of noted) add(key, rows);
      return () => {
        for (const [key, rows] of noted) add(key, -rows);
      };
    },
    isBesideMany: (key) => many > 0 && !counts.has(key),
    hasMany: () => many > 0,
  };
};
