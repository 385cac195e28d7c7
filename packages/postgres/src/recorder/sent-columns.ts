import type { BinaryArrays, ElementType } from './binary-arrays.ts';

/** How a column of many rows travels to a statement: as one array, whose elements are cast there when they are not what they were sent as. */
export type SentColumn<Row> = {
  readonly as: ElementType;
  readonly cast?: 'bigint' | 'bytea' | 'timestamptz';
  readonly read: (row: Row) => string | null;
};

/** By the name of the column, in the order of the parameters. */
export type SentColumns<Row> = Readonly<Record<string, SentColumn<Row>>>;

/** Writes SQL that reads one column of the row at a position, which counts from 1. */
export const elementOf = <Row>(columns: SentColumns<Row>, firstParameter: number): ((name: string, position: string) => string) => {
  const names = Object.keys(columns);
  return (name, position) => {
    const column = columns[name];
    if (column === undefined) throw new Error(`no column ${name} is sent`);
    const element = `($${firstParameter + names.indexOf(name)}::${column.as}[])[${position}]`;
    return column.cast === undefined ? element : `${element}::${column.cast}`;
  };
};

/** The parameters that carry the rows. */
export const encodeColumns = <Row>(arrays: BinaryArrays, columns: SentColumns<Row>, rows: readonly Row[]): Buffer[] =>
  Object.values(columns).map((column) => arrays.encode(column.as, rows.map(column.read)));
