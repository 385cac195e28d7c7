/** A role as it is stored now. What it holds are permissions by name; one that this version does not know grants nothing. */
export type Role = {
  readonly id: string;
  readonly name: string;
  /** Only the name of a built-in role means anything: an organization may call its own whatever it likes. */
  readonly built_in: boolean;
  readonly permissions: readonly string[];
};

/** Whether it is the one that every organization has to have somebody in. */
export const isOwner = ({ built_in, name }: Role): boolean => built_in && name === 'owner';

/** Whether a rule that names a role means this one: by the name of a built-in role, or by the id of any. */
export const isNamed = ({ id, name, built_in }: Role, asked: string): boolean => id === asked || (built_in && name === asked);
