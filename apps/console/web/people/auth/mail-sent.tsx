import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { Anchor, Text } from '../../design/kit.tsx';

/** How the service sends its mails. */
export type MailTransportKind = OperationResult<'startSignup'>['mail_transport'];

/** Says where mails are kept while no mail server is configured. */
export const MailNotice = ({ transport }: { readonly transport: MailTransportKind | undefined }): ReactNode =>
  transport === 'OUTBOX' ? (
    <Text>
      No mail server is configured (SMTP_URL). On the server, open the <Anchor href="/outbox">outbox</Anchor> in a browser or run{' '}
      <code>npm run ops -- outbox</code>.
    </Text>
  ) : null;
