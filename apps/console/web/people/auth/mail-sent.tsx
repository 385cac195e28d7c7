import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Where mails of this service go, as it answers whoever waits for one. */
export type MailTransport = 'SMTP' | 'OUTBOX';

/** Where a mail stays as long as no mail server is set. It says so to everybody alike. */
export const MailKept = ({ transport }: { readonly transport: MailTransport | undefined }): ReactNode =>
  transport === 'OUTBOX' ? (
    <Text>
      No mail server is set here (SMTP_URL), so mails stay on the machine of this service: its <Anchor href="/outbox">outbox</Anchor> opens
      in a browser there, and <code>npm run outbox</code> prints it.
    </Text>
  ) : null;
