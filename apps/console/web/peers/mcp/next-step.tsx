import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { getGuidePath } from '@svc/contract/tables/guides.ts';
import type { ReactNode } from 'react';
import { Facts } from '../../design/facts.tsx';
import { Warning } from '../../design/warning.tsx';
import type { McpListingFailure, McpServer } from './server.ts';

/** The address of the form for a credential of this server, with its host and slug filled in. */
const newCredentialPath = ({ transport, slug }: McpServer): string => {
  const destinations = URL.canParse(transport.url) ? new URL(transport.url).host : '';
  return `${buildConsolePath('newCredential')}?${new URLSearchParams({ destinations, servers: slug })}`;
};

const NeedsCredential = ({ server, failure }: { readonly server: McpServer; readonly failure: McpListingFailure }): ReactNode => {
  const { explanation, issuer, scopes, resource } = failure;
  const facts = [
    ...(issuer === undefined ? [] : [['Issuer', issuer] as const]),
    ...(scopes === undefined || scopes.length === 0 ? [] : [['Scopes', scopes.join(' ')] as const]),
    ...(resource === undefined ? [] : [['Resource', resource] as const]),
  ];
  return (
    <Warning title="This server requires a credential">
      <p>{explanation}</p>
      <Facts facts={facts} />
      <p>
        <a href={newCredentialPath(server)}>Store a credential</a> that names this server, then select it under Edit. See{' '}
        <a href={buildConsolePath('credentials')}>stored credentials</a>.
      </p>
    </Warning>
  );
};

const Failure = ({ server }: { readonly server: McpServer }): ReactNode => {
  const { listing_failure: failure } = server;
  if (failure === null) return null;
  if (failure.kind === 'NEEDS_CREDENTIAL') return <NeedsCredential server={server} failure={failure} />;
  return (
    <Warning title="The last listing failed">
      <p>{failure.explanation}</p>
    </Warning>
  );
};

const PendingStep = ({ server }: { readonly server: McpServer }): ReactNode => (
  <Warning title="No tool of this server can be called yet">
    <p>
      {server.listing_checked_at === null
        ? 'Discover its tools, then review and authorize those that agents may use.'
        : 'Open a tool below, review its definition, and authorize it.'}{' '}
      <a href={getGuidePath('mcp')}>Read the guide</a>
    </p>
  </Warning>
);

/** Says what a person does next: authorize, release, or give a credential. */
export const NextStep = ({ server }: { readonly server: McpServer }): ReactNode => {
  const { status, status_reason, tools } = server;
  return (
    <>
      <Failure server={server} />
      {status === 'PENDING' && server.listing_failure === null ? <PendingStep server={server} /> : null}
      {status === 'QUARANTINED' ? (
        <Warning title="Quarantined: no tool of this server is called">
          <p>
            {status_reason ?? 'The definition of an authorized tool changed.'} Compare each tool marked Changed below ({tools.changed}),
            then release the server and accept the changes that you agree with.
          </p>
        </Warning>
      ) : null}
      {status === 'DISABLED' ? (
        <Warning title="Disabled: no tool of this server is called">
          <p>{status_reason ?? ''} Release the server to use its authorized tools again.</p>
        </Warning>
      ) : null}
    </>
  );
};
