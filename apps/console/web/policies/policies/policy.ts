import type { OperationResult } from '@svc/client/client-types.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { Policy } from '@svc/contract/policies/policies.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { PolicyStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Tone } from '../../design/status-pill.tsx';

export type { Policy };

export type Version = Policy['versions'][number];
export type Check = OperationResult<'checkPolicy'>;

export const STATUS_TONES: Readonly<Record<PolicyStatus, Tone>> = { DRAFT: 'neutral', ACTIVE: 'allowed', SUSPENDED: 'blocked' };

export const getNewest = ({ versions }: Policy): Version | undefined => versions[0];
export const getActive = ({ versions, active_version }: Policy): Version | undefined =>
  versions.find(({ version_id }) => version_id === active_version?.version_id);

/** The status of a policy in words, with its versions: `Active v3, draft v4`. */
export const formatStatus = (policy: Policy): string => {
  const newest = getNewest(policy)?.version_number ?? 0;
  const active = policy.active_version?.version_number;
  if (policy.status === 'SUSPENDED') return 'Suspended';
  if (active === undefined) return `Draft v${newest}`;
  return newest > active ? `Active v${active}, draft v${newest}` : `Active v${active}`;
};

export const getRules = (version: Version | undefined): readonly PolicyRule[] => (version?.rules ?? []) as readonly PolicyRule[];

/** The text of a version in the editor. */
export const getText = (version: Pick<Version, 'rules' | 'tests'> | undefined): string =>
  JSON.stringify({ rules: version?.rules ?? [], tests: version?.tests ?? [] }, null, 2);

/** The page on which a version is reviewed and activated. */
export const buildReviewPath = (policyId: string, versionNumber: number): string =>
  buildConsolePath('policyReview', { policyId, versionNumber: String(versionNumber) });
