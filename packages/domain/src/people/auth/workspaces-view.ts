/** A set of workspaces in the API: null if it is all or one; any other set is in a separate member. */
export type WorkspacesView = { readonly workspace_id: string | null; readonly workspace_ids?: string[] };

export const toWorkspacesView = (ids: readonly string[] | null | undefined): WorkspacesView => {
  if (ids === null || ids === undefined) return { workspace_id: null };
  const [only, ...more] = ids;
  return only !== undefined && more.length === 0 ? { workspace_id: only } : { workspace_id: null, workspace_ids: [...ids] };
};
