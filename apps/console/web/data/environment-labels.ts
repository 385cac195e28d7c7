type Named = { readonly id: string; readonly name: string };
type Placed = Named & { readonly workspace_id: string };

/** An environment with a label that distinguishes it from others of the same name. */
export type LabelledEnvironment = Placed & { readonly label: string };

/** Labels environments by their names; those that share one, by workspace and name. */
export const withLabels = (environments: readonly Placed[], workspaces: readonly Named[]): readonly LabelledEnvironment[] => {
  const workspaceOf = ({ workspace_id }: Placed): string => workspaces.find(({ id }) => id === workspace_id)?.name ?? workspace_id;
  const isShared = ({ name }: Named): boolean => environments.filter((each) => each.name === name).length > 1;
  return environments.map((each) => ({ ...each, label: isShared(each) ? `${workspaceOf(each)} / ${each.name}` : each.name }));
};
