import { refusesChance } from './no-second-chance.ts';

/** A file that failed, and the names of what failed in it: tests, and the suites around them. */
export type FailedFile = { readonly file: string; readonly tests: readonly string[] };

/** How many files that measure nothing may have failed for any to be run once more: more of them are no chance but a fault. */
const STRAYS_MAX = 2;

type Told = { readonly failed: FailedFile; readonly measures: string | undefined; readonly isFine: boolean };

const tellMeasuring = ({ failed: { file }, measures, isFine }: Told): string =>
  `${file}: failed beside others, ${isFine ? 'passed alone' : 'failed alone'}; it measures ${measures}`;

const RULE = '!'.repeat(100);

/** Said last and loudly: nothing else would make anybody look at a test that fails once in a while. */
const tellStrays = (strays: readonly Told[]): string[] => {
  if (strays.length === 0) return [];
  const lines = strays.flatMap(({ failed: { file, tests }, isFine }) => [
    `!! ${file}: failed beside others, ${isFine ? 'passed alone' : 'failed alone'}`,
    ...tests.map((name) => `!!   ${name}`),
  ]);
  return [RULE, '!! These tests measure no time and failed beside others. Find out what they depend on, and mend it:', ...lines, RULE];
};

/**
 * Whether a run passed of which some files failed. Those that measure time or load, each with what it measures, are run once more alone, one
 * after the other. So are others, where few of them failed and nothing refuses it; where it is refused none is. Each has to pass then.
 */
export const passesAlone = async (
  failed: readonly FailedFile[],
  measuring: Readonly<Record<string, string>>,
  runAlone: (file: string) => Promise<boolean>,
): Promise<boolean> => {
  const strays = failed.filter(({ file }) => !Object.hasOwn(measuring, file));
  if (strays.length > STRAYS_MAX) return false;
  const refusals = strays.flatMap((stray) => refusesChance(stray) ?? []);
  for (const refusal of refusals) console.log(`\n${refusal}`);
  if (refusals.length > 0) return false;
  const told: Told[] = [];
  for (const each of failed) {
    const measures = Object.hasOwn(measuring, each.file) ? measuring[each.file] : undefined;
    const why = measures === undefined ? 'failed beside others' : 'measures time or load and failed beside others';
    console.log(`\n${each.file} ${why}: it is run once more alone.`);
    told.push({ failed: each, measures, isFine: await runAlone(each.file) });
  }
  const lines = [
    ...told.filter(({ measures }) => measures !== undefined).map(tellMeasuring),
    ...tellStrays(told.filter(({ measures }) => measures === undefined)),
  ];
  if (lines.length > 0) console.log(lines.join('\n'));
  return told.every(({ isFine }) => isFine);
};
