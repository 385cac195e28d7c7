import { randomBytes } from 'node:crypto';
import { newControlClient } from './typed-client.ts';

/** A person who just signed up, and so owns an organization. */
export type SignedUp = {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly organization: { readonly id: string; readonly name: string };
};

let people = 0;
/** Leased planes have users of other processes, and process ids repeat. */
const RUN = randomBytes(6).toString('hex');

/** Signs up a new person. */
export const signUp = async (controlUrl: string, overrides: Readonly<Record<string, string>> = {}): Promise<SignedUp> => {
  people += 1;
  const body = {
    email: `person-${RUN}-${people}@example.com`,
    password: 'correct horse battery staple',
    name: `Person ${people}`,
    organizationName: `Organization ${people}`,
    ...overrides,
  };
  const { token, user, organization } = await newControlClient(controlUrl).signup({ body });
  return { token, user, organization, email: body.email, password: body.password };
};

/** Re-authenticates a person, so that guarded operations are permitted for some minutes. */
export const stepUp = async (controlUrl: string, session: Pick<SignedUp, 'token' | 'password'>): Promise<void> => {
  await newControlClient(controlUrl, session.token).stepUp({ body: { password: session.password } });
};

/** An organization with one workspace and one environment, and its owner's session. */
export type Tenant = SignedUp & {
  readonly controlUrl: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

export const newTenant = async (planes: { readonly controlUrl: string }): Promise<Tenant> => {
  const { controlUrl } = planes;
  const person = await signUp(controlUrl);
  const { token } = person;
  const workspace = await newControlClient(controlUrl, token).createWorkspace({ body: { name: 'Payments' } });
  const environment = await newControlClient(controlUrl, token).createEnvironment({
    body: { workspace_id: workspace.id, name: 'Production', type: 'PRODUCTION' },
  });
  return {
    ...person,
    controlUrl,
    organization_id: person.organization.id,
    workspace_id: workspace.id,
    environment_id: environment.id,
  };
};
