import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { Listing } from '../../data/listing.tsx';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type OwnSession = {
  readonly id: string;
  readonly organization: { readonly name: string };
  readonly device: string;
  readonly source_ip: string | null;
  readonly last_used_from: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly current: boolean;
};

const Told = ({ one }: { readonly one: OwnSession }): ReactNode => (
  <>
    <Text fw={600}>
      <bdi>{one.device}</bdi>
      {one.current ? ' (this one)' : ''}
    </Text>
    <Facts
      facts={[
        ['In', one.organization.name],
        ['Opened', <Time key="opened" at={one.created_at} />],
        ['Opened from', one.source_ip ?? 'not known'],
        ['Last used', <Time key="used" at={one.last_used_at} />],
        ['Last used from', one.last_used_from ?? 'not known'],
      ]}
    />
  </>
);

/** Browsers, terminals and programs that are signed in as the same person, in every organization. */
export const Sessions = (): ReactNode => {
  const [ended, setEnded] = useState(0);
  return (
    <ConsolePage title="Where you are signed in">
      <Text>End what you do not know, and change your password then: whoever opened it knew it.</Text>
      <ActionButton
        does="End all others"
        means="Every other browser, terminal and program that is signed in as you has to sign in again, in all organizations."
        send={() => call('DELETE', '/v1/auth/sessions')}
        then={() => setEnded(ended + 1)}
      />
      {ended > 0 ? <Text role="status">Every other session has ended.</Text> : null}
      <Listing<OwnSession> key={ended} label="Sessions" path="/v1/auth/sessions" none="You are signed in nowhere.">
        {(one, done) => (
          <>
            <Told one={one} />
            {one.current ? null : (
              <ActionButton
                does="End the session"
                to={`${one.device}, ${one.organization.name}`}
                send={() => call('DELETE', `/v1/auth/sessions/${one.id}`)}
                then={() => done('The session has ended.')}
              />
            )}
          </>
        )}
      </Listing>
    </ConsolePage>
  );
};
