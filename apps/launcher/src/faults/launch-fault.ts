/** A start that cannot go on: every fault found, each one plain sentence with its remedy. */
export class LaunchFault extends Error {
  override name = 'LaunchFault';
  readonly faults: readonly string[];
  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
