import type { RiskScores, RiskSettings } from '@svc/contract/risk/risk-settings.ts';
import { client } from '../../data/client.ts';

export type { RiskScores, RiskSettings };

type Change = Partial<Pick<RiskSettings, 'thresholds' | 'signals'>> & { readonly reason: string };

/** Saves settings with some members replaced: members that are left out would get their default. Fails if they were changed since. */
export const saveRiskSettings = (settings: RiskSettings, change: Change) => {
  const { environment_id, version, updated_at: _, updated_by: __, ...members } = settings;
  return client.request('updateRiskSettings', {
    params: { environmentId: environment_id },
    body: { ...members, ...change, expected_version: version },
  });
};

/** Decisions whose score is at least the threshold. */
export const countReached = ({ scores }: RiskScores, threshold: number): number =>
  scores.reduce((sum, { score, decisions }) => sum + (score >= threshold ? decisions : 0), 0);
