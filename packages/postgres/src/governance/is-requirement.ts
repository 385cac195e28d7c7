import { EVIDENCE_KINDS } from '@svc/contract/risk/trust/vocabulary.ts';
import { type Fits, isWhole, matchWords } from './unfit-row.ts';

const isKind = matchWords(EVIDENCE_KINDS);
const isLevel: Fits = (level) => isWhole(1)(level) && (level as number) <= 4;

/** True for a requirement of trust evidence as the service writes it. */
export const isRequirement: Fits = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { level, evidence, max_age_days, ...others } = value as Readonly<Record<string, unknown>>;
  const areKinds = evidence === undefined || (Array.isArray(evidence) && evidence.every(isKind));
  return isLevel(level) && areKinds && (max_age_days === undefined || isWhole(1)(max_age_days)) && Object.keys(others).length === 0;
};
