import type { Chapter, Requirement } from './requirement.ts';

export type RequirementCount = { readonly met: number; readonly unmet: number; readonly notApplicable: number };

/** Minimum share of applicable requirements that must be met. */
export const SHARE_MIN = 0.9;

const count = (requirements: readonly Requirement[]): RequirementCount => ({
  met: requirements.filter((each) => 'met' in each).length,
  unmet: requirements.filter((each) => 'unmet' in each).length,
  notApplicable: requirements.filter((each) => 'notApplicable' in each).length,
});

export const getCount = (chapters: readonly Chapter[]): RequirementCount =>
  count(chapters.flatMap(({ requirements }) => Object.values(requirements)));

/** Share of the applicable requirements. */
export const getShare = ({ met, unmet }: RequirementCount): number => met / (met + unmet);

export const countText = (told: RequirementCount): string => {
  const { met, unmet, notApplicable } = told;
  const all = met + unmet + notApplicable;
  const per = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return `${met} of ${met + unmet} that apply are met (${per(getShare(told))}); of all ${all} it is ${per(met / all)}, ${notApplicable} do not apply.`;
};
