import type { describeControls } from '@svc/domain/events/compliance/write-report.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type KeptStates, keepJudgement } from '@svc/postgres/events/compliance/judgements.ts';

type MeasuredControls = ReturnType<typeof describeControls>;

type JudgementRequest = {
  readonly organizationId: string;
  readonly controls: MeasuredControls;
  /** States of the last judgement. */
  readonly previous: KeptStates;
  readonly now: Date;
};

/** Returns the current states, each with the time since which it holds. */
const currentStates = (controls: MeasuredControls, previous: KeptStates, now: Date): KeptStates =>
  Object.fromEntries(
    controls.map(({ name, state }) => {
      const before = previous[name];
      return [name, { state, since: before?.state === state ? before.since : now.toISOString() }];
    }),
  );

/** Stores the states of the controls of an organization, and records those that changed. The first judgement records none. */
export const recordJudgement = async (
  { tx, emit }: Change<'compliance.control_updated'>,
  { organizationId, controls, previous, now }: JudgementRequest,
): Promise<void> => {
  if (!(await keepJudgement(tx, organizationId, currentStates(controls, previous, now), now))) return;
  for (const { name, state, lacking } of controls) {
    const before = previous[name]?.state;
    if (before === undefined || before === state) continue;
    emit('compliance.control_updated', {
      ...about.organization({ id: organizationId }),
      ...(before === 'MET' || state === 'NOT_MET' ? { severity: 'warning' } : {}),
      data: { control: name, before: { state: before }, after: { state }, lacking },
    });
  }
};
