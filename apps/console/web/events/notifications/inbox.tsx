import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { Listing } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type Told, ToldOne } from './notification.tsx';
import { ChangePreferences } from './preferences.tsx';

const SOME = 50;

/** What whoever is signed in was told in this organization, the latest first, and how they want to be told. */
export const Notifications = ({ session }: { readonly session: Session }): ReactNode => {
  const [looks, setLooks] = useState(0);
  return (
    <ConsolePage title="Notifications">
      <Text>What you were told in {session.organization.name}. Reading it decides nothing.</Text>
      <ActionButton does="Mark all as read" send={() => call('POST', '/v1/notifications/read')} then={() => setLooks(looks + 1)} />
      <Listing<Told> key={looks} label="Notifications" path="/v1/notifications" none="No notifications yet." some={SOME}>
        {(told, done) => <ToldOne told={told} done={done} />}
      </Listing>
      <ChangePreferences />
    </ConsolePage>
  );
};
