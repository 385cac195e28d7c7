import { ONBOARDING_STEPS, type OnboardingAnswers, type OnboardingStep, STEP_MEMBERS } from '@svc/contract/people/onboarding.ts';

export const isOnboardingStep = (text: string): text is OnboardingStep => (ONBOARDING_STEPS as readonly string[]).includes(text);

/** Returns the superfluous or missing members of a step's body; undefined if it is valid. */
export const findStepFault = (
  step: OnboardingStep,
  body: OnboardingAnswers,
): { readonly pointer: string; readonly message: string } | undefined => {
  const { takes, needs }: { readonly takes: readonly string[]; readonly needs: readonly string[] } = STEP_MEMBERS[step];
  const strange = Object.keys(body).find((member) => !takes.includes(member));
  if (strange !== undefined)
    return { pointer: `/${strange}`, message: `The step ${step} has no such member; must be one of: ${takes.join(', ')}.` };
  const missing = needs.find((member) => !Object.hasOwn(body, member));
  return missing === undefined ? undefined : { pointer: `/${missing}`, message: 'This member is required.' };
};
