/** A start that cannot go on: every fault found, each one plain sentence with its remedy. */
export class LaunchFault extends Error {
  override name = 'LaunchFault';
  readonly faults: readonly string[];
  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** A fault that passes by itself: the database does not answer. */
export class DatabaseOutage extends LaunchFault {
  override name = 'DatabaseOutage';
}
