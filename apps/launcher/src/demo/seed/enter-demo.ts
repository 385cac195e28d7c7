import { type ControlPlane, connectControlPlane } from '../control-plane.ts';
import { silent } from '../narrator.ts';
import { sendJson } from '../send-json.ts';
import type { DemoCredentials } from './demo-credentials.ts';

type Session = { readonly token: string };

const setupTokenOf = (setupUrl: string | undefined): { readonly setup_token?: string } => {
  const token = setupUrl === undefined ? null : new URLSearchParams(new URL(setupUrl).hash.slice(1)).get('token');
  return token === null ? {} : { setup_token: token };
};

/** A session of the demo's owner, who signs up when this database does not know her yet; by the set-up link, which goes on after her. */
export const enterDemo = async (
  controlUrl: string,
  { email, password }: DemoCredentials,
  setupUrl: string | undefined,
): Promise<{ readonly owner: ControlPlane; readonly isNew: boolean }> => {
  const known = await sendJson(`${controlUrl}/v1/auth/login`, 'POST', undefined, { email, password });
  const isNew = known.status !== 200;
  const session = isNew
    ? await connectControlPlane(controlUrl, silent, 'owner').ask<Session>('POST', '/v1/auth/signup', {
        body: { email, password, name: 'Olive Owner', organizationName: 'Demo Bank', ...setupTokenOf(setupUrl) },
      })
    : (known.json as Session);
  return { owner: connectControlPlane(controlUrl, silent, 'owner', session.token), isNew };
};
