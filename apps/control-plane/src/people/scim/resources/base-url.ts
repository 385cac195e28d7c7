import type { ControlDeps } from '../../../deps.ts';

/** What a directory is given as the address of the service. */
export const scimBase = ({ urls }: Pick<ControlDeps, 'urls'>): string => `${urls.base}/scim/v2`;
