import type { EnvironmentType, PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import type { PolicySource } from '../judge/compile-version.ts';
import type { ProofScope, ScopeBounds } from './place.ts';

/** The known sources of requests: every environment, and the agents that a binding or a rule names. */
export type ScopeDirectory = {
  readonly environments: readonly {
    readonly id: string;
    readonly name: string;
    readonly workspace_id: string;
    readonly type: EnvironmentType;
  }[];
  readonly agents: readonly { readonly id: string; readonly name: string; readonly environment_id: string }[];
};

/** The scope of an invariant. */
export type InvariantScope = { readonly scope: Exclude<PolicyScope, 'AGENT'>; readonly id: string };

type Environment = ScopeDirectory['environments'][number];

const boundTo = (bound: readonly PolicySource[], scope: PolicyScope, id?: string): PolicySource[] =>
  bound.filter(({ binding }) => binding.scope === scope && (id === undefined || binding.id === id));

const getTargets = (bound: readonly PolicySource[], scope: PolicyScope): Set<string> =>
  new Set(boundTo(bound, scope).map(({ binding }) => binding.id));

/** Returns the environment as such, and each of its agents with policies of its own. */
const inEnvironment = (bound: readonly PolicySource[], { agents }: ScopeDirectory, environment: Environment): ProofScope[] => {
  const versions = [
    ...boundTo(bound, 'ORGANIZATION'),
    ...boundTo(bound, 'WORKSPACE', environment.workspace_id),
    ...boundTo(bound, 'ENVIRONMENT', environment.id),
  ];
  const bounds: Record<string, ScopeBounds> = {
    'environment.type': { only: environment.type },
    'workspace.id': { only: environment.workspace_id },
  };
  const own = agents.filter(({ id, environment_id }) => environment_id === environment.id && boundTo(bound, 'AGENT', id).length > 0);
  const elsewhere = agents.filter(({ environment_id }) => environment_id !== environment.id);
  return [
    {
      name: `environment "${environment.name}"`,
      versions,
      bounds: { ...bounds, 'agent.id': { not: [...own, ...elsewhere].map(({ id }) => id) } },
    },
    ...own.map(({ id, name }) => ({
      name: `agent "${name}" in environment "${environment.name}"`,
      versions: [...versions, ...boundTo(bound, 'AGENT', id)],
      bounds: { ...bounds, 'agent.id': { only: id } },
    })),
  ];
};

/** Returns the scope of all environments of a workspace without policies of their own, including later ones. */
const elsewhereInWorkspace = (bound: readonly PolicySource[], { environments, agents }: ScopeDirectory, id: string): ProofScope => {
  const inside = new Set(environments.filter((environment) => environment.workspace_id === id).map((environment) => environment.id));
  const others = agents.filter((agent) => boundTo(bound, 'AGENT', agent.id).length > 0 || !inside.has(agent.environment_id));
  return {
    name: `any other environment of workspace ${id}`,
    versions: [...boundTo(bound, 'ORGANIZATION'), ...boundTo(bound, 'WORKSPACE', id)],
    bounds: { 'workspace.id': { only: id }, 'agent.id': { not: others.map((agent) => agent.id) } },
  };
};

const anywhereElse = (bound: readonly PolicySource[], { agents }: ScopeDirectory): ProofScope => ({
  name: 'any other environment',
  versions: boundTo(bound, 'ORGANIZATION'),
  bounds: {
    'workspace.id': { not: [...getTargets(bound, 'WORKSPACE')] },
    'agent.id': { not: agents.filter(({ id }) => boundTo(bound, 'AGENT', id).length > 0).map(({ id }) => id) },
  },
});

/**
 * Returns the scopes in which an invariant has to hold, each with everything bound there: together they cover every current and later
 * request,
 * including those of environments and agents that are created later.
 */
export const listScopes = ({ scope, id }: InvariantScope, bound: readonly PolicySource[], directory: ScopeDirectory): ProofScope[] => {
  const own = getTargets(bound, 'ENVIRONMENT');
  const agents = getTargets(bound, 'AGENT');
  const holdsBoundAgent = (environment: Environment): boolean =>
    directory.agents.some((agent) => agent.environment_id === environment.id && agents.has(agent.id));
  const isTold = (environment: Environment): boolean => own.has(environment.id) || holdsBoundAgent(environment);
  const told = directory.environments.filter((environment) =>
    scope === 'ENVIRONMENT' ? environment.id === id : isTold(environment) && (scope === 'ORGANIZATION' || environment.workspace_id === id),
  );
  const places = told.flatMap((environment) => inEnvironment(bound, directory, environment));
  if (scope === 'ENVIRONMENT') return places;
  if (scope === 'WORKSPACE') return [...places, elsewhereInWorkspace(bound, directory, id)];
  const workspaces = [...getTargets(bound, 'WORKSPACE')].map((workspace) => elsewhereInWorkspace(bound, directory, workspace));
  return [...places, ...workspaces, anywhereElse(bound, directory)];
};
