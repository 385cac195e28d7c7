/** Permissions, and their scope. */
export type Rights = {
  readonly permissions: readonly string[];
  /** Null for the whole organization. */
  readonly workspace_ids: readonly string[] | null;
};

/** A key in the chain to its responsible person, or that person, as the last. */
export type RightsLink = Rights & {
  readonly kind: 'USER' | 'API_KEY';
  /** ISO 8601; null for a person, who stays as long as they are a member. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
};

const isAlive = ({ expires_at, revoked_at }: RightsLink, nowMs: number): boolean =>
  // An end that is not a valid time has passed.
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);

/** The workspaces that lie in both; null for all of them. */
export const both = (one: Rights['workspace_ids'], other: Rights['workspace_ids']): Rights['workspace_ids'] => {
  if (one === null || other === null) return one ?? other;
  return one.filter((id) => other.includes(id));
};

/**
 * Returns the effective rights of a key: the intersection of each link's, up to the person it began with.
 * Undefined if a link has ended, or if the chain does not end in a person: then the key is invalid.
 */
export const effectiveRights = (links: readonly RightsLink[], nowMs: number): Rights | undefined => {
  if (links.at(-1)?.kind !== 'USER' || !links.every((link) => isAlive(link, nowMs))) return undefined;
  return links.reduce<Rights>(
    (rights, { permissions, workspace_ids }) => {
      const held = new Set(permissions);
      return { permissions: rights.permissions.filter((each) => held.has(each)), workspace_ids: both(rights.workspace_ids, workspace_ids) };
    },
    { permissions: links[0]?.permissions ?? [], workspace_ids: null },
  );
};
