import type { Environment } from './environments.ts';

const EVERYWHERE = 'the whole organization';

/** Each of these environments, to choose one of. */
export const environmentOptions = (environments: readonly Environment[]) => environments.map(({ id, label }) => ({ value: id, label }));

/** The organization, and each of these environments, to choose one of. */
export const scopeOptions = (environments: readonly Environment[]) => [
  { value: '', label: EVERYWHERE },
  ...environmentOptions(environments),
];

type Placed = { readonly workspace_id: string | null; readonly environment_id: string | null };

export const environmentLabel = (environmentId: string, environments: readonly Environment[]): string =>
  environments.find(({ id }) => id === environmentId)?.label ?? environmentId;

export const scopeLabel = ({ workspace_id, environment_id }: Placed, environments: readonly Environment[]): string =>
  environment_id === null ? (workspace_id ?? EVERYWHERE) : environmentLabel(environment_id, environments);
