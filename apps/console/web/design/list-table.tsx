import type { ReactNode } from 'react';
import type { List } from '../data/use-pages.ts';
import { Button, Text } from './kit.tsx';
import { Problem } from './problem.tsx';
import { Table, type TableProps } from './table.tsx';

type ListTableProps<Row> = Omit<TableProps<Row>, 'rows' | 'keyOf'> & {
  readonly list: List<Row>;
  /** Says how many rows are shown, and whether there are more. */
  readonly isCounted?: boolean;
};

const countWords = ({ items = [], hasMore, stoppedEarly }: List<unknown>): string => {
  if (stoppedEarly) return `${items.length} found so far. Show more to continue the search, or choose a shorter time range.`;
  return hasMore ? `${items.length} shown. There are more.` : `${items.length} in total.`;
};

/** A list of the service as a table, with its error and a button for what is not shown yet. */
export const ListTable = <Row extends { readonly id: string }>({ list, isCounted = false, ...table }: ListTableProps<Row>): ReactNode => (
  <>
    <Problem error={list.error} />
    {list.error && list.items === undefined ? null : <Table rows={list.items} keyOf={({ id }) => id} {...table} />}
    {isCounted ? (
      <Text role="status" size="sm" c="dimmed">
        {list.items === undefined ? '' : countWords(list)}
      </Text>
    ) : null}
    {list.hasMore ? (
      <div>
        <Button variant="default" size="xs" loading={list.isLoading} onClick={list.more}>
          Show more
        </Button>
      </div>
    ) : null}
  </>
);
