/** A set of workspaces as the wire tells it: null where it is all of them or the one; any other set is in a member of its own. */
export type ToldWorkspaces = { readonly workspace_id: string | null; readonly workspace_ids?: string[] };

export const toldWorkspaces = (ids: readonly string[] | null | undefined): ToldWorkspaces => {
  if (ids === null || ids === undefined) return { workspace_id: null };
  const [only, ...more] = ids;
  return only !== undefined && more.length === 0 ? { workspace_id: only } : { workspace_id: null, workspace_ids: [...ids] };
};
