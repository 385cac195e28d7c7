import type { Session } from './session.ts';

/** What a session may do. */
export type Permitted = Pick<Session, 'permissions'>;

/** True if the session holds the permission, or none is needed. */
export const may = ({ permissions }: Permitted, permission: string | undefined): boolean =>
  permission === undefined || permissions.some((each) => each === permission);
