import { type ReactNode, useRef } from 'react';
import { EmptyState } from './empty-state.tsx';
import { useShownRows } from './use-shown-rows.ts';

export type Column<Row> = {
  readonly name: string;
  readonly show: (row: Row) => ReactNode;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Long texts wrap; the cells of other columns of a dense table do not. */
  readonly isLong?: boolean;
  /** Buttons are at the end of the row. */
  readonly isActions?: boolean;
};

export type TableProps<Row> = {
  /** Name of the table for people who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they load. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Path of a row's own page; its first column becomes the link. */
  readonly pathOf?: (row: Row) => string;
  /** Shown instead of a table without rows: what belongs here, in one sentence. */
  readonly empty: ReactNode;
  /** The next step where there are no rows. */
  readonly emptyAction?: ReactNode;
  /** Keeps rows to one line where the columns allow it. */
  readonly isDense?: boolean;
};

const SKELETON_ROWS = 5;

type GapProps = { readonly height: number; readonly columns: number };

/** In the place of rows above or below what is shown. */
const Gap = ({ height, columns }: GapProps): ReactNode => (
  <tr aria-hidden className="gap">
    <td colSpan={columns}>
      <svg width={1} height={height} aria-hidden />
    </td>
  </tr>
);

/** A dense table. Only rows near the screen are in the document. Wide tables scroll sideways in a region of their own, which the keyboard reaches. */
export const Table = <Row,>({ label, columns, rows, keyOf, pathOf, empty, emptyAction, isDense = false }: TableProps<Row>): ReactNode => {
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, before, after } = useShownRows(body, rows?.length ?? 0);
  if (rows?.length === 0) return <EmptyState action={emptyAction}>{empty}</EmptyState>;
  const cell = (row: Row, { show, isActions }: Column<Row>, index: number): ReactNode => {
    if (isActions) return <div className="row-actions">{show(row)}</div>;
    return index === 0 && pathOf ? <a href={pathOf(row)}>{show(row)}</a> : show(row);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard (WCAG 2.1.1)
    <section className="table-region" aria-label={label} tabIndex={0}>
      <table
        className={isDense ? 'table dense' : 'table'}
        aria-busy={rows === undefined}
        aria-rowcount={rows === undefined ? undefined : rows.length + 1}
      >
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isActions }) => (
              <th key={name} scope="col" data-number={isNumber || undefined} data-end={isActions || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before === 0 ? null : <Gap height={before} columns={columns.length} />}
          {rows?.slice(from, to).map((row, index) => (
            <tr key={keyOf(row)} data-row aria-rowindex={from + index + 2}>
              {columns.map((column, index) => (
                <td
                  key={column.name}
                  data-label={column.name}
                  data-number={column.isNumber || undefined}
                  data-long={column.isLong || undefined}
                >
                  {cell(row, column, index)}
                </td>
              ))}
            </tr>
          )) ??
            Array.from({ length: SKELETON_ROWS }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
              <tr key={index}>
                {columns.map(({ name }) => (
                  <td key={name}>
                    <span className="skeleton-cell" />
                  </td>
                ))}
              </tr>
            ))}
          {after === 0 ? null : <Gap height={after} columns={columns.length} />}
        </tbody>
      </table>
    </section>
  );
};
