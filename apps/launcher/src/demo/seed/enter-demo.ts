import { bearerTransport, createControlClient } from '@svc/client/client.ts';
import { StoryFault } from '../../faults/story-fault.ts';
import { type ControlPlane, connectControlPlane } from '../control-plane.ts';
import { silent } from '../narrator.ts';
import type { DemoCredentials } from './demo-credentials.ts';

const getSetupToken = (setupUrl: string | undefined): { readonly setup_token?: string } => {
  const token = setupUrl === undefined ? null : new URLSearchParams(new URL(setupUrl).hash.slice(1)).get('token');
  return token === null ? {} : { setup_token: token };
};

/** Opens a session of the demo's owner, who signs up if this database does not have her yet, with the set-up link, which stays valid. */
export const enterDemo = async (
  controlUrl: string,
  { email, password }: DemoCredentials,
  setupUrl: string | undefined,
): Promise<{ readonly owner: ControlPlane; readonly isNew: boolean }> => {
  const client = createControlClient({ transport: bearerTransport({ url: controlUrl }) });
  const known = await client.request('login', { body: { email, password } });
  const session = known.ok
    ? known.body
    : await connectControlPlane(controlUrl, silent, 'owner').ask('signup', {
        body: { email, password, name: 'Olive Owner', organizationName: 'Demo Bank', ...getSetupToken(setupUrl) },
      });
  if (!('token' in session))
    throw new StoryFault(
      'The owner of the demo data has a second factor, which a start cannot present: remove it, or remove demo.json from the data folder to begin with another owner.',
    );
  return { owner: connectControlPlane(controlUrl, silent, 'owner', session.token), isNew: !known.ok };
};
