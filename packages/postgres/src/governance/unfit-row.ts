/**
 * Thrown for a row that no change through the service could have left. Nothing is decided on it: the load fails, and so the request is
 * refused.
 */
export class UnfitRow extends Error {
  constructor(table: string, id: string, column: string) {
    super(`the row ${id} of ${table} is not fit to decide on: see its ${column}`);
    this.name = 'UnfitRow';
  }
}

export type Fits = (value: unknown) => boolean;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const CURRENCY = /^[A-Z]{3}$/;

export const isText: Fits = (value) => typeof value === 'string' && value !== '';
export const isFlag: Fits = (value) => typeof value === 'boolean';
/** Returns true for a calendar time; `infinity` and `-infinity` are none, and compare with nothing. */
export const isTime: Fits = (value) => typeof value === 'string' && TIME.test(value) && Number.isFinite(Date.parse(value));
export const isCurrency: Fits = (value) => typeof value === 'string' && CURRENCY.test(value);
export const isTextList: Fits = (value) => Array.isArray(value) && value.every(isText);
export const matchWords =
  (words: readonly string[]): Fits =>
  (value) =>
    words.includes(value as string);
export const isWhole =
  (min: number): Fits =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min;
export const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value);

/** Asks each named column of a row; throws at the first that does not fit. */
export const mustFit = <Row extends object>(
  table: string,
  id: string,
  row: Row,
  columns: { readonly [Column in keyof Row]?: Fits },
): void => {
  for (const column in columns) if (columns[column]?.(row[column]) === false) throw new UnfitRow(table, id, column);
};
