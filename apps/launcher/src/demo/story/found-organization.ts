import { randomBytes } from 'node:crypto';
import { getDemoAddress } from '@svc/contract/people/demo-account.ts';
import { connectControlPlane } from '../control-plane.ts';
import type { DemoStage, OrganizationWithOwner } from '../scene.ts';

type BuilderSchema = { readonly operators: readonly { readonly name: string; readonly label: string }[] };

/** Ada signs up, re-authenticates, and creates a workspace for agents. */
export const createOrganization = async ({ where, tell, run }: DemoStage): Promise<OrganizationWithOwner> => {
  tell.chapter('Ada signs up and makes a place for agents');
  const password = randomBytes(18).toString('base64url');
  const person = { email: getDemoAddress(`ada-${run}`), password, name: 'Ada', organizationName: `Demo ${run}` };
  const session = await connectControlPlane(where.controlUrl, tell, 'Ada').ask(
    'signup',
    { body: person },
    ({ organization }) => `${organization.id}, which Ada owns`,
  );
  const owner = connectControlPlane(where.controlUrl, tell, 'Ada', session.token);
  await owner.ask(
    'stepUp',
    { body: { password } },
    ({ step_up_expires_at }) =>
      `she has just proved who she is, and may do what is dangerous until ${step_up_expires_at.slice(11, 16)} UTC`,
  );
  const told = ({ id }: { readonly id: string }): string => id;
  const workspace = await owner.ask('createWorkspace', { body: { name: 'Support' } }, told);
  const environment = await owner.ask(
    'createEnvironment',
    { body: { workspace_id: workspace.id, name: 'Production', type: 'PRODUCTION' } },
    ({ id, mode }) => `${id}, in mode ${mode}`,
  );
  const quiet = connectControlPlane(where.controlUrl, { ...tell, asks: () => {}, answered: () => {} }, 'Ada', session.token);
  const { operators } = (await quiet.ask('getBuilderSchema', {})) as BuilderSchema;
  const words = new Map(operators.map(({ name, label }) => [name, label]));
  return { person, owner, words, workspaceId: workspace.id, environmentId: environment.id };
};
