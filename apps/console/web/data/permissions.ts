import type { Session } from './session.ts';

/** Permissions of a session. */
export type Permitted = Pick<Session, 'permissions'>;

/** True if the session holds the permission, or none is needed. */
export const may = ({ permissions }: Permitted, permission: string | undefined): boolean =>
  permission === undefined || permissions.some((each) => each === permission);
