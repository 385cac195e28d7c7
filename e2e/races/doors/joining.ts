import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { acceptInvitation, invite } from '@svc/testing/people/invite.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newSecret } from '@svc/testing/records/new-secret.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type { RaceCase } from '../race.ts';
import { type RaceScene, renewSetupLink } from '../scene.ts';

const PASSWORD = 'a phrase of nobody in particular';
const newAddress = (): string => `${newUlid().toLowerCase()}@races.example`;

const peopleFault = async ({ owner }: RaceScene, email: string): Promise<readonly string[]> => {
  const { rows } = await owner.query(
    'select count(distinct u.id)::int as people, count(m.id)::int as memberships from users u join members m on m.user_id = u.id where email = $1',
    [email],
  );
  const { people, memberships } = rows[0];
  return people === 1 && memberships === 1 ? [] : [`${people} people with ${memberships} memberships came of it`];
};

const invited = async ({ owner, tenant, urls }: RaceScene, email: string): Promise<string> =>
  (await invite(owner, { controlUrl: urls[0] ?? '', token: tenant.token }, { email, role_id: getBuiltInRole('viewer').id })).code;

export const JOINING: readonly RaceCase[] = [
  {
    name: 'the code of a sign-up',
    expire: "update sign_ups set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['INVALID_CREDENTIALS', 'ALREADY_EXISTS'],
    ready: async (scene) => {
      const email = newAddress();
      const body = { email, password: PASSWORD, name: 'Racer', organizationName: 'Races' };
      await mustCall(scene.urls[0] ?? '', 'POST', '/v1/auth/signup/start', { body });
      const code = await getCodeTo(scene.owner, email);
      return {
        use: (_, url) => call(url, 'POST', '/v1/auth/signup/verify', { body: { email, code } }),
        faults: () => peopleFault(scene, email),
      };
    },
  },
  {
    name: 'the code of a forgotten password',
    expire: "update password_resets set expires_at = now() - interval '1 second'",
    hashes: true,
    opens: 0,
    loses: ['INVALID_CREDENTIALS'],
    ready: async ({ owner, urls }) => {
      const { email } = await signUp(urls[0] ?? '');
      await mustCall(urls[0] ?? '', 'POST', '/v1/auth/password/reset/start', { body: { email } });
      const code = await getCodeTo(owner, email);
      const use = (n: number, url: string) =>
        call(url, 'POST', '/v1/auth/password/reset', { body: { email, code, new_password: `${PASSWORD} ${n}` } });
      return { use };
    },
  },
  {
    name: 'an invitation, by somebody new',
    expire: "update invitations set expires_at = now() - interval '1 second'",
    hashes: true,
    opens: 1,
    loses: ['GONE', 'CONFLICT'],
    ready: async (scene) => {
      const email = newAddress();
      const code = await invited(scene, email);
      return {
        use: (n, url) => acceptInvitation(url, code, { name: `Racer ${n}`, password: PASSWORD }),
        faults: () => peopleFault(scene, email),
      };
    },
  },
  {
    name: 'an invitation, by an account that is signed in',
    expire: "update invitations set expires_at = now() - interval '1 second'",
    opens: 0,
    loses: ['GONE', 'CONFLICT'],
    ready: async (scene) => {
      const person = await signUp(scene.urls[0] ?? '');
      await proveAddress(scene.owner, person);
      const code = await invited(scene, person.email);
      return { use: (_, url) => call(url, 'POST', '/v1/auth/invitations/join', { token: person.token, body: { code } }) };
    },
  },
  {
    name: 'the set-up link',
    hashes: true,
    opens: 1,
    loses: ['PERMISSION_DENIED'],
    isFirstStart: true,
    ready: async (scene) => {
      const setup_token = newSecret('setup_link');
      await renewSetupLink(scene, setup_token);
      const founder = () => ({ email: newAddress(), password: PASSWORD, name: 'Founder', organizationName: 'First' });
      return { use: () => call(scene.firstStartUrl, 'POST', '/v1/auth/signup', { body: { ...founder(), setup_token } }) };
    },
  },
  {
    name: 'the return from a provider',
    expire: "update sso_attempts set expires_at = now() - interval '1 second'",
    opens: 1,
    loses: ['GONE'],
    ready: async (scene) => {
      const { provider, urls, connectionId } = scene;
      const email = newAddress();
      provider.comes(`subject of ${email}`, { email, email_verified: true });
      const browser = newBrowser();
      const start = `${urls[0]}/v1/auth/sso/start?connection_id=${connectionId}`;
      const { url } = await browser.follow(start, (next) => next.includes('/v1/auth/sso/callback'));
      const { pathname, search } = new URL(url);
      const cookie = [...browser.cookies(urls[0] ?? '')].map(([name, value]) => `${name}=${value}`).join('; ');
      return {
        use: (_, plane) => call(plane, 'GET', `${pathname}${search}`, { headers: { cookie } }),
        faults: () => peopleFault(scene, email),
      };
    },
  },
];
