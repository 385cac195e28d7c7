import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Attention } from './attention.tsx';
import { Decisions } from './decisions.tsx';
import { Environments } from './environments.tsx';
import { Waiting } from './waiting.tsx';

/** The first page after signing in: what needs the person, what agents did, and in which modes. */
export const Overview = ({ session }: { readonly session: Session }): ReactNode => (
  <ConsolePage title="Overview">
    <div className="split">
      <div>{may(session, 'approval:read') ? <Waiting session={session} /> : null}</div>
      <div>
        <Attention session={session} />
      </div>
    </div>
    {may(session, 'action:read') ? <Decisions /> : null}
    {may(session, 'environment:read') ? <Environments /> : null}
    <p className="quiet-text">
      New here? <a href={buildConsolePath('start')}>Make a first decision</a>. The <a href="/docs">API reference</a> describes every call.
      The <a href={buildConsolePath('inbox')}>inbox</a> holds your notifications.
    </p>
  </ConsolePage>
);
