type Named = { readonly id: string; readonly name: string };
type Told = Named & { readonly workspace_id: string };

/** With what it is called where several are to be told apart. */
export type Environment = Told & { readonly label: string };

/** By their names; those that share one, with their workspaces before it. */
export const withLabels = (environments: readonly Told[], workspaces: readonly Named[]): readonly Environment[] => {
  const workspaceOf = ({ workspace_id }: Told): string => workspaces.find(({ id }) => id === workspace_id)?.name ?? workspace_id;
  const isShared = ({ name }: Named): boolean => environments.filter((each) => each.name === name).length > 1;
  return environments.map((each) => ({ ...each, label: isShared(each) ? `${workspaceOf(each)} / ${each.name}` : each.name }));
};
