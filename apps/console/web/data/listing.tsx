import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Problem } from '../design/problem.tsx';
import { type ApiError, call } from './call.ts';

/** The first page of a list that is gone on with by a cursor. */
type Paged<One> = { readonly data: readonly One[] };
type WithId = { readonly id: string };

/** To be called after something was done to one of the list: says so, and reads the list anew. */
export type Done = (said: string) => void;

type ListingProps<One> = {
  readonly label: string;
  readonly path: string;
  /** Said where there is none. */
  readonly none: string;
  /** How many come at a time; all at once where it is left out. */
  readonly some?: number;
  /** The plane tells all at once: they are shown so many at a time. */
  readonly isWhole?: boolean;
  readonly keep?: (one: One) => boolean;
  readonly children: (one: One, done: Done) => ReactNode;
};

const read = async <One,>(path: string, many: number | undefined) => {
  const part = many === undefined ? '' : `${path.includes('?') ? '&' : '?'}limit=${many}`;
  const answer = await call<readonly One[] | Paged<One>>('GET', `${path}${part}`);
  return answer.ok ? { ok: true as const, body: 'data' in answer.body ? answer.body.data : answer.body } : answer;
};

type MoreProps = { readonly isThere: boolean; readonly onMore: () => void };

const More = ({ isThere, onMore }: MoreProps): ReactNode => (
  <Group mt="sm">
    {isThere ? (
      <Button variant="default" size="xs" onClick={onMore}>
        Show more
      </Button>
    ) : null}
  </Group>
);

/** A list of the plane with what can be done to each; what was done is said, and stands where the keyboard goes on from. */
export const Listing = <One extends WithId>(props: ListingProps<One>): ReactNode => {
  const { label, path, none, some = Number.POSITIVE_INFINITY, isWhole = false, keep = () => true, children } = props;
  const [all, setAll] = useState<readonly One[]>();
  const [many, setMany] = useState(some);
  const [error, setError] = useState<ApiError>();
  const [said, setSaid] = useState('');
  const place = useRef<HTMLParagraphElement>(null);
  const asked = isWhole || many === Number.POSITIVE_INFINITY ? undefined : many;
  const look = useCallback(async (): Promise<void> => {
    const answer = await read<One>(path, asked);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) setAll(answer.body);
  }, [path, asked]);
  useEffect(() => void look(), [look]);
  const done: Done = (text) => {
    setSaid(text);
    place.current?.focus();
    void look();
  };
  const kept = all?.filter(keep) ?? [];
  const isMore = isWhole ? kept.length > many : all?.length === many && many < MOST;
  return (
    <section aria-label={label}>
      <Problem error={error} />
      <p ref={place} tabIndex={-1} role="status" className="said">
        {said}
      </p>
      {all && kept.length === 0 ? <Text>{none}</Text> : null}
      <Stack component="ul" className="listing">
        {kept.slice(0, many).map((one) => (
          <li key={one.id}>{children(one, done)}</li>
        ))}
      </Stack>
      <More isThere={isMore} onMore={() => setMany(isWhole ? many + some : Math.min(many + some, MOST))} />
    </section>
  );
};

/** As many as a page of the plane holds. */
const MOST = 200;
