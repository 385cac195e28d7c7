import type { LabelledEnvironment } from './environments.ts';

const EVERYWHERE = 'Whole organization';

/** Environments as the options of a field. */
export const getEnvironmentOptions = (environments: readonly LabelledEnvironment[]) =>
  environments.map(({ id, label }) => ({ value: id, label }));

/** The organization and its environments as the options of a field. */
export const getScopeOptions = (environments: readonly LabelledEnvironment[]) => [
  { value: '', label: EVERYWHERE },
  ...getEnvironmentOptions(environments),
];

type Placed = { readonly workspace_id: string | null; readonly environment_id: string | null };

export const getEnvironmentLabel = (environmentId: string, environments: readonly LabelledEnvironment[]): string =>
  environments.find(({ id }) => id === environmentId)?.label ?? environmentId;

export const getScopeLabel = ({ workspace_id, environment_id }: Placed, environments: readonly LabelledEnvironment[]): string =>
  environment_id === null ? (workspace_id ?? EVERYWHERE) : getEnvironmentLabel(environment_id, environments);
