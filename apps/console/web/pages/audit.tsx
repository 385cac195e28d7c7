import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../api/places.ts';
import type { Session } from '../api/session.ts';
import { Paged } from '../frame/paged.tsx';
import { SignedIn } from '../frame/signed-in.tsx';
import { Event } from './audit/event.tsx';
import { Export } from './audit/export.tsx';
import { type Filter, FilterForm, filterOf } from './audit/filter.tsx';
import type { ToldEvent } from './audit/told-event.ts';
import { Verify } from './audit/verify.tsx';

/** What happened, searched; the address names the search, so that it can be kept and sent. */
export const Audit = ({ session }: { readonly session: Session }): ReactNode => {
  const [filter, setFilter] = useState<Filter>(() => filterOf(location.search));
  const [looks, setLooks] = useState(0);
  const query = String(new URLSearchParams(filter));
  const path = query === '' ? '/v1/audit-events' : `/v1/audit-events?${query}`;
  const search = (asked: Filter): void => {
    const next = String(new URLSearchParams(asked));
    history.replaceState(null, '', next === '' ? '/audit' : `/audit?${next}`);
    setFilter(asked);
    setLooks(looks + 1);
  };
  return (
    <SignedIn session={session} title="Audit">
      <Text>Everything that happened, the newest first. Nobody changes what is recorded, and what is sealed can be proved.</Text>
      {may(session, 'audit:verify') ? <Verify /> : null}
      <FilterForm filter={filter} onSearch={search} />
      {may(session, 'audit:export') ? <Export filter={filter} /> : null}
      <Paged<ToldEvent> key={`${looks} ${path}`} label="Events" path={path} none="Nothing matches.">
        {(event) => <Event event={event} />}
      </Paged>
    </SignedIn>
  );
};
