import { Anchor, Text } from '@mantine/core';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { Time } from '../../design/time.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import type { Founded } from './found.ts';

/** One argument for a POSIX shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const post = (path: string, body: object): string => `curl -X POST "$CONTROL${path}" \\
  -H "authorization: Bearer $SESSION" -H 'content-type: application/json' \\
  -d ${quoted(JSON.stringify(body))}`;

const namesOf = ({ session, gatewayUrl }: Founded): string => {
  const gateway = gatewayUrl === undefined ? '' : ` GATEWAY=${quoted(gatewayUrl)}`;
  return `export CONTROL=${quoted(location.origin)}${gateway}\nSESSION=${quoted(session.token)}`;
};

const TENANCY = [
  post('/v1/workspaces', { name: 'First workspace' }),
  post('/v1/environments', { workspace_id: 'wsp_...', name: 'Development', type: 'DEVELOPMENT' }),
].join('\n\n');

const KEY = [
  'curl "$CONTROL/v1/roles" -H "authorization: Bearer $SESSION"',
  post('/v1/api-keys', { name: 'First key', role_id: 'rol_...', expires_in_days: 90 }),
].join('\n\n');

/** What comes after the organization was made, in this browser and in a terminal. */
export const Next = ({ founded }: { readonly founded: Founded }): ReactNode => (
  <PublicPage title="Done. What comes next">
    <Text>
      You are the owner of <strong>{founded.session.organization.name}</strong>. This link has done its work and will not open again.
    </Text>
    <Text>
      In this browser you are signed in: <Anchor href={HOME}>the console</Anchor>, <Anchor href={consolePath('members')}>members</Anchor> to
      invite, and <Anchor href="/approvals">approvals</Anchor> that wait.
    </Text>
    <ol>
      <li>
        <Text>
          In a terminal, keep both addresses and a session. It is shown this once and ends at <Time at={founded.session.expires_at} />, or
          after a while without use; <code>POST /v1/auth/login</code> gives another.
        </Text>
        <pre className="request">{namesOf(founded)}</pre>
      </li>
      <li>
        <Text>Make a workspace, and in it an environment. A new environment enforces: what no policy allows is blocked.</Text>
        <pre className="request">{TENANCY}</pre>
      </li>
      <li>
        <Text>Make an API key for your own programs. Its token is shown once. Give it the smallest role that does.</Text>
        <pre className="request">{KEY}</pre>
      </li>
      <li>
        <Text>
          Register an agent, a tool and a policy. The guide <code>docs/guides/first-governed-tool.md</code> goes on from here under the same
          names; the <Anchor href="/docs">API page</Anchor> describes every call.
        </Text>
      </li>
    </ol>
  </PublicPage>
);
