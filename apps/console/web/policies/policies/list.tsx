import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { Ago } from '../../design/ago.tsx';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { useScopeNames } from './bindings.tsx';
import { formatStatus, getNewest, getRules, type Policy, STATUS_TONES } from './policy.ts';

const create = (
  <Button component="a" href={buildConsolePath('newPolicy')}>
    New policy
  </Button>
);

/** Policies with their versions and where they apply. */
export const Policies = ({ session }: { readonly session: Session }): ReactNode => {
  const nameScope = useScopeNames(session);
  const list = usePages('listPolicies', {});
  const mayCreate = may(session, 'policy:create');
  const where = ({ bindings }: Policy): string => bindings.map(nameScope).join(', ') || 'Nowhere';
  const columns: readonly Column<Policy>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: (policy) => <StatusPill tone={STATUS_TONES[policy.status]}>{formatStatus(policy)}</StatusPill> },
    { name: 'Applies to', show: where },
    { name: 'Rules', show: (policy) => getRules(getNewest(policy)).length, isNumber: true },
    { name: 'Tests', show: (policy) => getNewest(policy)?.tests.length ?? 0, isNumber: true },
    { name: 'Changed', show: ({ updated_at }) => <Ago at={updated_at} /> },
  ];
  return (
    <ConsolePage title="Policies" actions={mayCreate ? create : null}>
      {mayCreate ? null : <MissingPermission needs="policy:create" to="create policies" />}
      <ListTable
        label="Policies"
        list={list}
        isCounted
        isDense
        columns={columns}
        pathOf={({ id }) => buildConsolePath('policy', { policyId: id })}
        empty="No policies yet. Without one, every action is blocked where decisions are enforced."
        emptyAction={mayCreate ? create : null}
      />
    </ConsolePage>
  );
};
