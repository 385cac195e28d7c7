import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useKnownNames } from '../../data/names/known-names.ts';
import { Paged } from '../../data/paged.tsx';
import type { Session } from '../../data/session.ts';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { may } from '../../layout/permitted.ts';
import { type Filter, filterOf } from './asked-filter.ts';
import { Event } from './event.tsx';
import { Export } from './export.tsx';
import { FilterForm } from './filter.tsx';
import type { ToldEvent } from './told-event.ts';
import { Verify } from './verify.tsx';

/** What happened, searched; the address names the search, so that it can be kept and sent. */
export const Audit = ({ session }: { readonly session: Session }): ReactNode => {
  const [filter, setFilter] = useState<Filter>(() => filterOf(location.search));
  const [looks, setLooks] = useState(0);
  const known = useKnownNames(session);
  const query = String(new URLSearchParams(filter));
  const path = query === '' ? '/v1/audit-events' : `/v1/audit-events?${query}`;
  const search = (asked: Filter): void => {
    const next = String(new URLSearchParams(asked));
    history.replaceState(null, '', next === '' ? '/audit' : `/audit?${next}`);
    setFilter(asked);
    setLooks(looks + 1);
  };
  return (
    <ConsolePage title="Audit">
      <Text>Everything that happened, the newest first. Nobody changes what is recorded, and what is sealed can be proved.</Text>
      {may(session, 'audit:verify') ? <Verify /> : <MissingPermission needs="audit:verify" does="not verify the record" />}
      <FilterForm filter={filter} known={known} session={session} onSearch={search} />
      {may(session, 'audit:export') ? <Export filter={filter} /> : <MissingPermission needs="audit:export" does="not export the record" />}
      <Paged<ToldEvent> key={`${looks} ${path}`} label="Events" path={path} none="Nothing matches.">
        {(event) => <Event event={event} known={known} session={session} />}
      </Paged>
    </ConsolePage>
  );
};
