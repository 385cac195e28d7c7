import { randomBytes } from 'node:crypto';
import { demoAddress } from '@svc/contract/people/demo-account.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import type { Workspace } from '@svc/contract/tenancy/workspaces.ts';
import { connectControlPlane } from '../control-plane.ts';
import type { Founded, Stage } from '../scene.ts';

type Session = { readonly token: string; readonly organization: { readonly id: string } };
type SteppedUp = { readonly step_up_expires_at: string };
type BuilderSchema = { readonly operators: readonly { readonly name: string; readonly label: string }[] };

/** Ada signs up, proves who she is, and makes a place for agents. */
export const foundOrganization = async ({ where, tell, run }: Stage): Promise<Founded> => {
  tell.chapter('Ada signs up and makes a place for agents');
  const password = randomBytes(18).toString('base64url');
  const person = { email: demoAddress(`ada-${run}`), password, name: 'Ada', organizationName: `Demo ${run}` };
  const session = await connectControlPlane(where.controlUrl, tell, 'Ada').ask<Session>('POST', '/v1/auth/signup', {
    body: person,
    told: ({ organization }) => `${organization.id}, which Ada owns`,
  });
  const owner = connectControlPlane(where.controlUrl, tell, 'Ada', session.token);
  await owner.ask<SteppedUp>('POST', '/v1/auth/step-up', {
    body: { password },
    told: ({ step_up_expires_at }) =>
      `she has just proved who she is, and may do what is dangerous until ${step_up_expires_at.slice(11, 16)} UTC`,
  });
  const told = ({ id }: { readonly id: string }): string => id;
  const workspace = await owner.ask<Workspace>('POST', '/v1/workspaces', { body: { name: 'Support' }, told });
  const environment = await owner.ask<Environment>('POST', '/v1/environments', {
    body: { workspace_id: workspace.id, name: 'Production', type: 'PRODUCTION' },
    told: ({ id, mode }) => `${id}, in mode ${mode}`,
  });
  const quiet = connectControlPlane(where.controlUrl, { ...tell, asks: () => {}, answered: () => {} }, 'Ada', session.token);
  const { operators } = await quiet.ask<BuilderSchema>('GET', '/v1/policies/builder-schema');
  const words = new Map(operators.map(({ name, label }) => [name, label]));
  return { person, owner, words, workspaceId: workspace.id, environmentId: environment.id };
};
