/** Something that was started and must be stopped. `hurry` resolves when the person will not wait any longer. */
export type Stoppable = { readonly name: string; readonly stop: (hurry: Promise<unknown>) => Promise<void> };

/**
 * Stops the groups in order, and the members of a group together. One that cannot be stopped does not keep the rest running; errors are
 * thrown at the end.
 */
export const stopInOrder = async (groups: readonly (readonly Stoppable[])[], hurry: Promise<unknown>): Promise<void> => {
  const failures: unknown[] = [];
  for (const group of groups) {
    const outcomes = await Promise.allSettled(group.map(({ stop }) => stop(hurry)));
    failures.push(...outcomes.filter(({ status }) => status === 'rejected').map((outcome) => (outcome as PromiseRejectedResult).reason));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be stopped');
};
