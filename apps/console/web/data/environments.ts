import type { ServiceError } from '@svc/client/errors.ts';
import { useMemo } from 'react';
import { type LabelledEnvironment, withLabels } from './environment-labels.ts';
import { useOperation } from './use-operation.ts';

export type { LabelledEnvironment };

const FORBIDDEN = 403;

type Read = { readonly data: unknown; readonly error: ServiceError | null };

/** True until a list is read. Of those that the person may not read, nothing is expected. */
const isUnread = ({ data, error }: Read): boolean => data === undefined && error?.status !== FORBIDDEN;

const getFailure = (read: Read): ServiceError | undefined => (isUnread(read) ? (read.error ?? undefined) : undefined);

type EnvironmentsRead = {
  /** The environments that the person may see, empty where they may see none; undefined until they are read. */
  readonly environments: readonly LabelledEnvironment[] | undefined;
  /** The reason why they are not read. */
  readonly error: ServiceError | undefined;
};

/** The environments, for a page that cannot be used without them. */
export const useEnvironmentsRead = (): EnvironmentsRead => {
  const environments = useOperation('listEnvironments', {});
  const workspaces = useOperation('listWorkspaces', {});
  const hasUnread = isUnread(environments) || isUnread(workspaces);
  const labelled = useMemo(
    () => (hasUnread ? undefined : withLabels(environments.data ?? [], workspaces.data ?? [])),
    [hasUnread, environments.data, workspaces.data],
  );
  return { environments: labelled, error: getFailure(environments) ?? getFailure(workspaces) };
};

/** The environments that the person may see, empty where they may see none; undefined until they are read. */
export const useEnvironments = (): readonly LabelledEnvironment[] | undefined => useEnvironmentsRead().environments;
