import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getScopeLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { Secret } from './secret.tsx';
import { WebhookStatus } from './status.tsx';
import { formatTrouble, formatWaiting, type Webhook, type WithSecret } from './webhook.ts';

const buildFacts = (webhook: Webhook, environments: readonly LabelledEnvironment[]) => {
  const [trouble, waiting] = [formatTrouble(webhook), formatWaiting(webhook)];
  return [
    ['URL', webhook.url],
    ['Status', <WebhookStatus key="status" webhook={webhook} />],
    ...(trouble === undefined ? [] : [['Reason', trouble] as const]),
    ['Event types', webhook.event_types.join(', ')],
    ...(waiting.length === 0 ? [] : [['Not sent yet', waiting.join('; ')] as const]),
    ['Events of', getScopeLabel(webhook, environments)],
    ['Body format', webhook.body_format],
    ['Id', webhook.id],
  ] as const;
};

type WebhookPageProps = { readonly params: RouteParams<'webhook'>; readonly session: Session };

const PARENT = { name: 'Webhooks', path: buildConsolePath('webhooks') };

/** One webhook and its deliveries. */
export const WebhookPage = ({ params, session }: WebhookPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: webhook, error } = useOperation('getWebhook', { params });
  const [secret, setSecret] = useState<WithSecret>();
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getWebhook', 'listWebhooks', 'listDeliveries');
  };
  return (
    <ConsolePage title={webhook?.name ?? 'Webhook'} parent={PARENT}>
      <Problem error={error ?? undefined} />
      {announcement}
      {webhook === undefined && !error ? <Skeleton lines={6} /> : null}
      {webhook === undefined ? null : (
        <>
          {secret ? <Secret webhook={secret} onSaved={() => setSecret(undefined)} /> : null}
          <Facts facts={buildFacts(webhook, environments)} />
          <Actions webhook={webhook} session={session} done={done} onSecret={setSecret} />
          <Title order={2} size="h4">
            Deliveries
          </Title>
          <Deliveries subscriptionId={webhook.id} mayUpdate={may(session, 'webhook:update')} done={done} />
        </>
      )}
    </ConsolePage>
  );
};
