import { Anchor, Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../../data/call.ts';
import type { Done } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { may } from '../../layout/permitted.ts';
import type { Credential } from './credential.ts';

type Begun = { readonly authorization_url: string };

/** Another window, since whoever comes back from there is told to close it. */
const GoOn = ({ to }: { readonly to: string }): ReactNode => {
  const place = useRef<HTMLAnchorElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Anchor ref={place} href={to} target="_blank" rel="noreferrer" size="sm">
      Continue at {new URL(to).host}, in a new window, within ten minutes
    </Anchor>
  );
};

type ConnectProps = { readonly credential: Credential; readonly session: Session; readonly done: Done };

/** Begins to connect an application in the browser, and looks what became of it. */
export const Connect = ({ credential: { id, name, oauth }, session, done }: ConnectProps): ReactNode => {
  const [begun, setBegun] = useState<Begun>();
  const isInBrowser = oauth !== null && oauth.authorization_url !== null && may(session, 'credential:rotate');
  const lookAgain = (): void => {
    setBegun(undefined);
    done('');
  };
  return (
    <>
      {isInBrowser && !begun ? (
        <ActionButton<Begun> does="Connect" to={name} send={() => call('POST', `/v1/credentials/${id}/connect`, {})} then={setBegun} />
      ) : null}
      {begun ? <GoOn to={begun.authorization_url} /> : null}
      <Button size="xs" variant="default" aria-label={`Refresh: ${name}`} onClick={lookAgain}>
        Refresh
      </Button>
    </>
  );
};
