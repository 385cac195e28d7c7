import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Group } from '../../design/kit.tsx';
import type { Webhook, WithSecret } from './webhook.ts';

const DAY_MS = 86_400_000;

type ActionsProps = {
  readonly webhook: Webhook;
  readonly session: Session;
  readonly done: (text: string) => void;
  readonly onSecret: (webhook: WithSecret) => void;
};

const ActiveOnly = ({ webhook: { id, name }, done }: Pick<ActionsProps, 'webhook' | 'done'>): ReactNode => {
  const params = { subscriptionId: id };
  return (
    <>
      <ActionButton
        does="Send test event"
        to={name}
        send={() => client.request('testWebhook', { params, body: {} })}
        then={() => done('Test event sent. Its delivery is listed below.')}
      />
      <ActionButton
        does="Retry failed deliveries"
        to={name}
        means={`Deliveries to ${name} that failed in the last 24 hours are sent again.`}
        send={() => client.request('redeliverFailed', { params, body: { since: new Date(Date.now() - DAY_MS).toISOString() } })}
        then={({ redelivered, has_more }) =>
          done(`Retrying ${redelivered} deliveries.${has_more ? ' More deliveries failed. Retry again to send them.' : ''}`)
        }
      />
    </>
  );
};

const Update = ({ webhook, done, onSecret }: Omit<ActionsProps, 'session'>): ReactNode => {
  const { id, name, status } = webhook;
  const params = { subscriptionId: id };
  const isActive = status === 'ACTIVE';
  return (
    <>
      {isActive ? <ActiveOnly webhook={webhook} done={done} /> : null}
      <ActionButton
        does="Rotate secret"
        to={name}
        means={`${name} gets a new signing secret. Deliveries are signed with both secrets for 24 hours.`}
        send={() => client.request('rotateWebhookSecret', { params, body: {} })}
        then={onSecret}
      />
      <ActionButton
        does={isActive ? 'Disable' : 'Enable'}
        to={name}
        {...(isActive ? { means: `Nothing is delivered to ${name} until it is enabled again.` } : {})}
        send={() => client.request('updateWebhook', { params, body: { status: isActive ? 'DISABLED' : 'ACTIVE' } })}
        then={() => done(isActive ? `${name} is disabled.` : `${name} was enabled with your permissions.`)}
      />
    </>
  );
};

/** The buttons of a webhook that the person may use. */
export const Actions = ({ webhook, session, done, onSecret }: ActionsProps): ReactNode => {
  const [, navigate] = useLocation();
  const { id, name } = webhook;
  return (
    <Group gap="xs">
      {may(session, 'webhook:update') ? <Update webhook={webhook} done={done} onSecret={onSecret} /> : null}
      {may(session, 'webhook:delete') ? (
        <ActionButton
          does="Delete"
          to={name}
          means={`${name} receives no more events, and waiting deliveries are dropped.`}
          send={() => client.request('deleteWebhook', { params: { subscriptionId: id } })}
          then={() => {
            void refresh('listWebhooks');
            navigate(buildConsolePath('webhooks'));
          }}
        />
      ) : null}
    </Group>
  );
};
