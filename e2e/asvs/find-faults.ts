import type { Chapter, Requirement, RequirementProof } from './requirement.ts';
import { getNumbers, STANDARD } from './standard.ts';

/** Maximum words of a requirement in our wording, so that it is no copy of the standard's. */
const WORDS_MAX = 14;

type Listed = { readonly chapter: string; readonly number: string; readonly level: 1 | 2 };

const listed: readonly Listed[] = Object.entries(STANDARD).flatMap(([chapter, levels]) =>
  ([1, 2] as const).flatMap((level) => getNumbers(levels[level]).map((number) => ({ chapter, number, level }))),
);

const listFaults = (requirement: Requirement, proofFault: (proof: RequirementProof) => string | undefined): string[] => {
  const faults = requirement.says.split(' ').length > WORDS_MAX ? [`says more than ${WORDS_MAX} words`] : [];
  if ('unmet' in requirement) return requirement.unmet === '' ? [...faults, 'is unmet without a reason'] : faults;
  if ('notApplicable' in requirement) return requirement.notApplicable === '' ? [...faults, 'does not apply without a reason'] : faults;
  if (!requirement.met.some((proof) => 'test' in proof)) faults.push('names no test');
  return [...faults, ...requirement.met.flatMap((proof) => proofFault(proof) ?? [])];
};

/** Returns what is wrong with the table: a missing number, one of another level or of no standard, or a missing proof. */
export const findFaults = (chapters: readonly Chapter[], proofFault: (proof: RequirementProof) => string | undefined): string[] => {
  const told = new Map(
    chapters.flatMap(({ id, requirements }) => Object.entries(requirements).map(([number, each]) => [`${id} ${number}`, each] as const)),
  );
  const missing = listed.flatMap(({ chapter, number, level }) => {
    const requirement = told.get(`${chapter} ${number}`);
    if (requirement === undefined) return [`${number} is not in the table`];
    return requirement.level === level ? [] : [`${number} is of level ${level}`];
  });
  const known = new Set(listed.map(({ chapter, number }) => `${chapter} ${number}`));
  const wrong = [...told].flatMap(([key, requirement]) => {
    const number = key.split(' ')[1];
    const unknown = known.has(key) ? [] : [`${number} is no requirement of the standard`];
    return [...unknown, ...listFaults(requirement, proofFault).map((fault) => `${number}: ${fault}`)];
  });
  return [...missing, ...wrong];
};
