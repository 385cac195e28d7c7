import type { Environment } from './environments.ts';

const EVERYWHERE = 'the whole organization';

/** Each of these environments, to choose one of. */
export const environmentsToChoose = (environments: readonly Environment[]) => environments.map(({ id, label }) => ({ value: id, label }));

/** The organization, and each of these environments, to choose one of. */
export const placesToChoose = (environments: readonly Environment[]) => [
  { value: '', label: EVERYWHERE },
  ...environmentsToChoose(environments),
];

type Placed = { readonly workspace_id: string | null; readonly environment_id: string | null };

export const environmentWords = (environmentId: string, environments: readonly Environment[]): string =>
  environments.find(({ id }) => id === environmentId)?.label ?? environmentId;

export const placeWords = ({ workspace_id, environment_id }: Placed, environments: readonly Environment[]): string =>
  environment_id === null ? (workspace_id ?? EVERYWHERE) : environmentWords(environment_id, environments);
