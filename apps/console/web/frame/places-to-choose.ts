import type { Environment } from '../api/environments.ts';

const EVERYWHERE = 'the whole organization';

/** The organization, and each of these environments, to choose one of. */
export const placesToChoose = (environments: readonly Environment[]) => [
  { value: '', label: EVERYWHERE },
  ...environments.map(({ id, name }) => ({ value: id, label: name })),
];

type Placed = { readonly workspace_id: string | null; readonly environment_id: string | null };

export const placeWords = ({ workspace_id, environment_id }: Placed): string => environment_id ?? workspace_id ?? EVERYWHERE;
