import { useMemo } from 'react';
import { type LabelledEnvironment, withLabels } from './environment-labels.ts';
import { useOperation } from './use-operation.ts';

export type { LabelledEnvironment };

/** The environments that the person may see, empty where they may see none; undefined while they load. */
export const useEnvironments = (): readonly LabelledEnvironment[] | undefined => {
  const environments = useOperation('listEnvironments', {});
  const workspaces = useOperation('listWorkspaces', {});
  const isLoading = environments.isPending || workspaces.isPending;
  return useMemo(
    () => (isLoading ? undefined : withLabels(environments.data ?? [], workspaces.data ?? [])),
    [isLoading, environments.data, workspaces.data],
  );
};
