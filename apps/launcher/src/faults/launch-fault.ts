/** Why a start cannot continue: every fault found, one plain sentence each with its remedy. */
export class LaunchFault extends Error {
  override name = 'LaunchFault';
  readonly faults: readonly string[];
  /** True if it passes by itself: the database does not respond. */
  isOutage = false;
  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export const createDatabaseOutage = (fault: string): LaunchFault => Object.assign(new LaunchFault(fault), { isOutage: true });
