import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Button } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Actions } from './actions.tsx';
import { type Credential, formatApplication, formatConnection, formatExtra, formatRotated, formatSent, type Oauth } from './credential.ts';
import { CredentialStatus } from './status.tsx';

const oauthFacts = (oauth: Oauth) =>
  [
    ['Application', formatApplication(oauth)],
    ['Connection', formatConnection(oauth)],
    ...(oauth.scope === null ? [] : [['Scope', oauth.scope] as const]),
    ...(oauth.authorization_url === null ? [] : [['Redirect URI', oauth.redirect_uri] as const]),
    ...(oauth.public_jwk === null ? [] : [['Public key', JSON.stringify(oauth.public_jwk)] as const]),
  ] as const;

/** The last use that recent events show, with a link to every recorded use. */
const LastUse = ({
  credential: { id, last_used_at },
  session,
}: {
  readonly credential: Credential;
  readonly session: Session;
}): ReactNode => (
  <>
    {last_used_at === null ? 'Not recently' : <Time at={last_used_at} />}
    {may(session, 'audit:read') ? (
      <>
        {' · '}
        <a href={`${buildConsolePath('auditEvents')}?${new URLSearchParams({ type: 'credential.issued', q: id })}`}>View uses</a>
      </>
    ) : null}
  </>
);

const buildFacts = (credential: Credential, environments: readonly LabelledEnvironment[], session: Session) =>
  [
    ...(credential.description === '' ? [] : [['Description', credential.description] as const]),
    ['Status', <CredentialStatus key="status" credential={credential} />],
    ...(credential.revoked_reason === null ? [] : [['Revoked because', credential.revoked_reason] as const]),
    ['Sent as', formatSent(credential)],
    ...(credential.extras.length === 0 ? [] : [['Extra items', credential.extras.map(formatExtra).join(', ')] as const]),
    ['Destinations', credential.destinations.join(', ')],
    ...(credential.tools.length === 0 ? [] : [['Tools', credential.tools.join(', ')] as const]),
    ...(credential.servers.length === 0 ? [] : [['MCP servers', credential.servers.join(', ')] as const]),
    ['Last used', <LastUse key="used" credential={credential} session={session} />],
    ['Rotated', formatRotated(credential)],
    ...(credential.oauth === null ? [] : oauthFacts(credential.oauth)),
    ['Environment', getEnvironmentLabel(credential.environment_id, environments)],
    ['Id', credential.id],
  ] as const;

type CredentialPageProps = { readonly params: RouteParams<'credential'>; readonly session: Session };

const PARENT = { name: 'Credentials', path: buildConsolePath('credentials') };

/** One credential: where it is used, its state, and what can be done with it. Never its secret. */
export const CredentialPage = ({ params, session }: CredentialPageProps): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { data: credential, error, refetch, isFetching } = useOperation('getCredential', { params });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getCredential', 'listCredentials');
  };
  const actions = (
    <>
      {credential?.status === 'ACTIVE' ? <Actions credential={credential} session={session} done={done} /> : null}
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
    </>
  );
  return (
    <ConsolePage title={credential?.name ?? 'Credential'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {credential === undefined && !error ? <Skeleton lines={6} /> : null}
      {credential === undefined ? null : <Facts facts={buildFacts(credential, environments, session)} />}
    </ConsolePage>
  );
};
