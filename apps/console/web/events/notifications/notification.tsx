import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Done } from '../../data/listing.tsx';
import { ActionButton } from '../../design/action-button.tsx';
import { Time } from '../../design/time.tsx';

export type Told = {
  readonly id: string;
  readonly sentence: string;
  readonly page: string;
  readonly settled: boolean;
  readonly updated_at: string;
  readonly read_at: string | null;
};

/** One notification: what it tells, and the way to where that is looked at. */
export const ToldOne = ({ told, done }: { readonly told: Told; readonly done: Done }): ReactNode => {
  const { id, sentence, page, settled, updated_at, read_at } = told;
  return (
    <>
      <Text fw={read_at === null ? 600 : 400}>
        <bdi>{sentence}</bdi>
      </Text>
      <Text size="sm">
        <Time at={updated_at} />
        {settled ? ', settled' : ''}
        {page === location.pathname || settled ? null : (
          <>
            {', '}
            <Anchor href={page}>look at it</Anchor>
          </>
        )}
      </Text>
      {read_at === null ? (
        <ActionButton
          does="Mark as read"
          to={sentence}
          send={() => call('POST', `/v1/notifications/${id}/read`)}
          then={() => done('It is marked as read.')}
        />
      ) : null}
    </>
  );
};
