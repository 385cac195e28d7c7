import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { Anchor, Button, Text } from '../../design/kit.tsx';
import { Time } from '../../design/time.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import type { Founded } from './found.ts';

/** Quotes one argument for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const post = (path: string, body: object): string => `curl -X POST "$CONTROL${path}" \\
  -H "authorization: Bearer $SESSION" -H 'content-type: application/json' \\
  -d ${quoted(JSON.stringify(body))}`;

const listNames = ({ session, gatewayUrl }: Founded): string => {
  const gateway = gatewayUrl === undefined ? '' : ` GATEWAY=${quoted(gatewayUrl)}`;
  return `export CONTROL=${quoted(location.origin)}${gateway}\nSESSION=${quoted(session.token ?? '')}`;
};

const TENANCY = [
  post('/v1/workspaces', { name: 'First workspace' }),
  post('/v1/environments', { workspace_id: 'wsp_...', name: 'Development', type: 'DEVELOPMENT' }),
].join('\n\n');

const KEY = [
  'curl "$CONTROL/v1/roles" -H "authorization: Bearer $SESSION"',
  post('/v1/api-keys', { name: 'First key', role_id: 'rol_...', expires_in_days: 90 }),
].join('\n\n');

/** The next steps after the organization is created, in this browser and in a terminal. */
export const Next = ({ founded }: { readonly founded: Founded }): ReactNode => (
  <PublicPage title="Your organization is ready">
    <Text>
      You are signed in as the owner of <strong>{founded.session.organization.name}</strong>. The set-up link no longer works.
    </Text>
    <Text>
      Create an agent and see it allowed, held and approved, in this browser. Or <Anchor href={HOME}>open the console</Anchor>, or{' '}
      <Anchor href={buildConsolePath('members')}>invite members</Anchor>.
    </Text>
    <Button component="a" href={buildConsolePath('start')} autoFocus>
      Make a first decision
    </Button>
    <Text>To set up your first agent in a terminal instead, follow these steps:</Text>
    <ol>
      <li>
        <Text>
          Set the addresses and a session token. The token is shown only here and expires <Time at={founded.session.expires_at} />;{' '}
          <code>POST /v1/auth/login</code> returns a new one.
        </Text>
        <pre className="request">{listNames(founded)}</pre>
      </li>
      <li>
        <Text>Create a workspace, then an environment in it. A new environment blocks every action that no policy allows.</Text>
        <pre className="request">{TENANCY}</pre>
      </li>
      <li>
        <Text>
          Create an API key for your programs. Its token is shown once. Choose the role with the fewest permissions that the programs need.
        </Text>
        <pre className="request">{KEY}</pre>
      </li>
      <li>
        <Text>
          Register an agent, a tool and a policy. The guide <code>docs/guides/first-governed-tool.md</code> continues from here with the
          same names. See also the <Anchor href="/docs">API reference</Anchor>.
        </Text>
      </li>
    </ol>
  </PublicPage>
);
