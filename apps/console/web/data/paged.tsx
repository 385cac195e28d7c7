import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Problem } from '../design/problem.tsx';
import { type Answer, type ApiError, call } from './call.ts';

type Page<One> = {
  readonly data: readonly One[];
  readonly page: { readonly next_cursor: string; readonly has_more: boolean; readonly stopped_early?: boolean };
};

type PagedProps<One> = {
  readonly label: string;
  /** With its filters, which stay the same from page to page. */
  readonly path: string;
  /** Said where there is none. */
  readonly none: string;
  readonly children: (one: One, change: (one: One) => void) => ReactNode;
};

const PER_PAGE = 25;

const wordsOf = (count: number, page: Page<unknown>['page'] | undefined, none: string): string => {
  if (page === undefined) return '';
  if (page.stopped_early) return `${count} so far; the search looked at many that do not fit. Go on, or narrow it by time.`;
  if (count === 0) return none;
  return page.has_more ? `${count} so far; there are more.` : `${count} in all.`;
};

/** What the plane tells in pages with a cursor: one page at a time, each below the one before. How many are shown is said. */
export const Paged = <One extends { readonly id: string }>({ label, path, none, children }: PagedProps<One>): ReactNode => {
  const [all, setAll] = useState<readonly One[]>([]);
  const [page, setPage] = useState<Page<One>['page']>();
  const [error, setError] = useState<ApiError>();
  const [isUnderWay, setUnderWay] = useState(false);
  const look = useCallback(
    async (cursor?: string): Promise<void> => {
      setUnderWay(true);
      const more = new URLSearchParams({ limit: String(PER_PAGE), ...(cursor === undefined ? {} : { cursor }) });
      const answer: Answer<Page<One>> = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${more}`);
      setUnderWay(false);
      setError(answer.ok ? undefined : answer.error);
      if (!answer.ok) return;
      setAll((before) => (cursor === undefined ? answer.body.data : [...before, ...answer.body.data]));
      setPage(answer.body.page);
    },
    [path],
  );
  useEffect(() => void look(), [look]);
  const change = (one: One): void => setAll(all.map((each) => (each.id === one.id ? one : each)));
  return (
    <section aria-label={label}>
      <Problem error={error} />
      <Stack component="ul" className="listing">
        {all.map((one) => (
          <li key={one.id}>{children(one, change)}</li>
        ))}
      </Stack>
      <Text role="status" className="said" my="sm">
        {wordsOf(all.length, page, none)}
      </Text>
      {page?.has_more ? (
        <Button variant="default" size="xs" loading={isUnderWay} onClick={() => void look(page.next_cursor)}>
          Show more
        </Button>
      ) : null}
    </section>
  );
};
