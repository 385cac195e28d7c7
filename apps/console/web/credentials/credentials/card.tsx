import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Environment } from '../../data/environments.ts';
import type { Done } from '../../data/listing.tsx';
import { environmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { Facts } from '../../design/facts.tsx';
import { Time } from '../../design/time.tsx';
import { may } from '../../layout/permitted.ts';
import { Acts } from './acts.tsx';
import { applicationWords, type Credential, connectionWords, type Oauth, rotatedWords, sentWords, statusWords } from './credential.ts';

/** What is known of an application of OAuth, and what its server has to know. */
const oauthFacts = (oauth: Oauth) =>
  [
    ['Application', applicationWords(oauth)],
    ['OAuth', connectionWords(oauth)],
    ...(oauth.scope === null ? [] : [['Scope', oauth.scope] as const]),
    ...(oauth.authorization_url === null ? [] : [['Redirect URI', oauth.redirect_uri] as const]),
    ...(oauth.public_jwk === null ? [] : [['Public key', JSON.stringify(oauth.public_jwk)] as const]),
  ] as const;

/** As far as the newest events tell, with the way to every use that is on record. */
const LastUse = ({ credential: { id, last_used_at }, session }: Pick<CardProps, 'credential' | 'session'>): ReactNode => (
  <>
    {last_used_at === null ? 'not lately' : <Time at={last_used_at} />}
    {may(session, 'audit:read') ? (
      <>
        ; <Anchor href={`/audit?${new URLSearchParams({ type: 'credential.issued', q: id })}`}>its uses on record</Anchor>
      </>
    ) : null}
  </>
);

type CardProps = {
  readonly credential: Credential;
  readonly environments: readonly Environment[];
  readonly session: Session;
  readonly done: Done;
};

/** One credential: where it goes and how it stands, and what can be done about it. */
export const Card = ({ credential, environments, session, done }: CardProps): ReactNode => {
  const { name, description, destinations, tools, status, oauth } = credential;
  return (
    <>
      <Text fw={600}>
        <bdi>{name}</bdi>
      </Text>
      <Facts
        facts={[
          ...(description === '' ? [] : [['About', description] as const]),
          ['Id', credential.id],
          ['Status', statusWords(credential)],
          ['Sent', sentWords(credential)],
          ['Sent to', destinations.join(', ')],
          ['Tools', tools.join(', ')],
          ['Last used', <LastUse key="used" credential={credential} session={session} />],
          ['Rotated', rotatedWords(credential)],
          ...(oauth === null ? [] : oauthFacts(oauth)),
          ['Environment', environmentLabel(credential.environment_id, environments)],
        ]}
      />
      {status === 'ACTIVE' ? <Acts credential={credential} session={session} done={done} /> : null}
    </>
  );
};
