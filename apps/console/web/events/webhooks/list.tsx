import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getScopeLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { WebhookStatus } from './status.tsx';
import type { Webhook } from './webhook.ts';

const create = (
  <Button component="a" href={buildConsolePath('newWebhook')}>
    New webhook
  </Button>
);

/** Receivers of events. */
export const Webhooks = ({ session }: { readonly session: Session }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const list = usePages('listWebhooks', {});
  const mayCreate = may(session, 'webhook:create');
  const columns: readonly Column<Webhook>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Status', show: (webhook) => <WebhookStatus webhook={webhook} /> },
    { name: 'URL', show: ({ url }) => url },
    { name: 'Event types', show: ({ event_types }) => event_types.length, isNumber: true },
    { name: 'Scope', show: (webhook) => getScopeLabel(webhook, environments) },
  ];
  return (
    <ConsolePage title="Webhooks" actions={mayCreate ? create : null}>
      <Text>Webhooks send events to your URL, limited to what their creator may read.</Text>
      {mayCreate ? null : <MissingPermission needs="webhook:create" to="create webhooks" />}
      <ListTable
        label="Webhooks"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('webhook', { subscriptionId: id })}
        empty="No webhooks yet."
        emptyAction={mayCreate ? create : null}
      />
    </ConsolePage>
  );
};
