import type { Environment } from './environments.ts';

const EVERYWHERE = 'Whole organization';

/** Environments as the options of a field. */
export const environmentOptions = (environments: readonly Environment[]) => environments.map(({ id, label }) => ({ value: id, label }));

/** The organization and its environments as the options of a field. */
export const scopeOptions = (environments: readonly Environment[]) => [
  { value: '', label: EVERYWHERE },
  ...environmentOptions(environments),
];

type Placed = { readonly workspace_id: string | null; readonly environment_id: string | null };

export const environmentLabel = (environmentId: string, environments: readonly Environment[]): string =>
  environments.find(({ id }) => id === environmentId)?.label ?? environmentId;

export const scopeLabel = ({ workspace_id, environment_id }: Placed, environments: readonly Environment[]): string =>
  environment_id === null ? (workspace_id ?? EVERYWHERE) : environmentLabel(environment_id, environments);
