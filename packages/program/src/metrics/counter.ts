/** A metric that only counts up, told apart by one label whose values are known beforehand, so that nobody outside makes series. */
export type Counter<Value extends string> = {
  readonly count: (value: Value) => void;
  /** In the text format of Prometheus, every value included: a series that is not there yet cannot be told from one that is lost. */
  readonly text: () => string;
};

export const newCounter = <const Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Counter<Value> => {
  const counts = new Map<Value, number>(values.map((value) => [value, 0]));
  const lines = () => values.map((value) => `${name}{${label}="${value}"} ${counts.get(value)}\n`).join('');
  return {
    count: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    text: () => `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines()}`,
  };
};
