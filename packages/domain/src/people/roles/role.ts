/** A role as stored. Permissions are names; one unknown to this version grants nothing. */
export type RoleRecord = {
  readonly id: string;
  readonly name: string;
  /** Only the name of a built-in role has a meaning: an organization may use any name for its own. */
  readonly built_in: boolean;
  readonly permissions: readonly string[];
};

/** Returns true for the role that every organization must have a member in. */
export const isOwner = ({ built_in, name }: RoleRecord): boolean => built_in && name === 'owner';

/** Returns true if a rule's role name means this one: by the name of a built-in role, or by the id of any. */
export const isNamed = ({ id, name, built_in }: RoleRecord, asked: string): boolean => id === asked || (built_in && name === asked);
